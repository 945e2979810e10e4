import { readFile, stat } from 'node:fs/promises';
import { writeAtomically } from '@portolan/foundation/atomic-file';

/**
 * Lays a copy of an empty database where there is none yet: making the tables of a service takes SQLite 25 ms, a copy 2.
 * What the copy lacks, migrations add. Nothing happens where there is no such database to copy.
 */
export async function layFirstFile(file: string, empty: string): Promise<void> {
  if ((await sizeOf(file)) > 0) return;
  const content = await readFile(empty).catch(ifMissing);
  if (content !== undefined) await writeAtomically(file, content);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(ifMissing))?.size ?? 0;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
