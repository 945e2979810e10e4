import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Get } from './openapi.ts';

/** Where the tests of one run keep what they have read; they may be of several builds otherwise. */
const folder = process.env.TESTED_DOCUMENTS;

/**
 * The documents of a service, from a file where another process of the same run has asked for them. A service takes 1.6 s
 * of processor time to write all eleven.
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
