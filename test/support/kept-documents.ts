import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Get } from './openapi.ts';

/** Where the tests of one run cache documents; runs may have different builds. */
const folder = process.env.TESTED_DOCUMENTS;

/**
 * The documents of a service, cached in a file by the first process of a run that requests them: generating all eleven
 * takes a service 1.6 s of CPU time.
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
