import { readFile, stat } from 'node:fs/promises';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { isAbsent } from '@portolan/foundation/thrown';

/**
 * Copies the file `empty`, a database with all tables, if `file` does not exist or is empty. SQLite needs 25
 * ms to create all tables, but a copy takes only 2 ms. Migrations then complete the copy. Does nothing if
 * `empty` does not exist.
 */
export async function copyEmptyDatabase(file: string, empty: string): Promise<void> {
  if ((await sizeOf(file)) > 0) return;
  const content = await readFile(empty).catch(ifMissing);
  if (content !== undefined) await writeAtomically(file, content);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(ifMissing))?.size ?? 0;
}

function ifMissing(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
