import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from './expect.ts';
import type { Get } from './openapi.ts';

/** The folder in which the tests of a build cache documents. */
const folder = process.env.TESTED_DOCUMENTS;

/** How long to wait for another process, which may have ended. */
const PATIENCE_MS = 60_000;

/**
 * Returns a function that reads the documents of a service. The first process that needs a document stores it in a
 * file, since generating all eleven documents takes a service 1.6 s of CPU time. Other processes of the same run wait
 * for this file.
 */
export function keptDocuments(get: Get): Get {
  if (folder === undefined) return get;
  return async (path) => {
    const file = join(folder, basename(path));
    const kept = (await textIn(file)) ?? ((await claims(file)) ? undefined : await textOfOther(file));
    if (kept !== undefined) return { status: 200, text: kept };
    const got = await get(path);
    if (got.status !== 200) return got;
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.${process.pid}`, got.text);
    await rename(`${file}.${process.pid}`, file);
    return got;
  };
}

/** Returns the content of a file; undefined if there is no such file. */
function textIn(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** Returns whether this process is the first one of the run that needs the document. */
function claims(file: string): Promise<boolean> {
  // The folder for temporary files is removed with the run.
  return mkdir(join(tmpdir(), `${basename(file)}.claimed`)).then(
    () => true,
    () => false,
  );
}

/** Waits for the document that another process of the run requests; undefined if it does not arrive. */
function textOfOther(file: string): Promise<string | undefined> {
  const read = () => textIn(file);
  return until(file, read, (text) => text !== undefined, PATIENCE_MS).catch(() => undefined);
}
