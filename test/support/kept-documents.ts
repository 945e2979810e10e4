import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Get } from './openapi.ts';

/**
 * The folder in which the tests of a run cache documents. Each run has its own, since runs may test different builds.
 */
const folder = process.env.TESTED_DOCUMENTS;

/**
 * Returns a function that reads the documents of a service. The first process of a run that needs a document stores it
 * in a file, since generating all eleven documents takes a service 1.6 s of CPU time.
 */
export function keptDocuments(get: Get): Get {
  if (folder === undefined) return get;
  return async (path) => {
    const file = join(folder, basename(path));
    const kept = await readFile(file, 'utf8').catch(() => undefined);
    if (kept !== undefined) return { status: 200, text: kept };
    const got = await get(path);
    if (got.status !== 200) return got;
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.${process.pid}`, got.text);
    await rename(`${file}.${process.pid}`, file);
    return got;
  };
}
