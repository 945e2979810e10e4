import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { StorageError } from './storage-error.ts';

/*
 * Damaged files are never removed. A file that cannot be opened is renamed, so that a valid file can take its place. A
 * file that can be opened but fails its check stays, with a note in a file next to it.
 */

const DAMAGED = '.damaged-';
/** Name suffix of the file that contains the note about a failed check. */
export const CHECK_FAILED = '.check-failed';

/** Renames the file and its WAL. Returns the new name of the file. */
export function setAside(file: string): string {
  const time = statSync(file).mtime.toISOString().replaceAll(/[:.]/g, '-');
  const kept = `${file}${DAMAGED}${time}`;
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(file + part)) renameSync(file + part, kept + part);
  }
  return basename(kept);
}

export async function noteFailedCheck(file: string, message: string): Promise<void> {
  await writeAtomically(file + CHECK_FAILED, `${message}\n`);
}

/** Removes the note after the file has passed its check. */
export function forgetFailedCheck(file: string): void {
  rmSync(file + CHECK_FAILED, { force: true });
}

/**
 * Returns a text that identifies the current content of a file with a note about a failed check. Returns undefined if
 * the note or the file does not exist.
 */
export function notedVersion(file: string): string | undefined {
  if (!existsSync(file + CHECK_FAILED) || !existsSync(file)) return undefined;
  const { ino, size, mtimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs}`;
}

/** Throws if the file is known to be damaged: creating a new one in its place would look like lost data. */
export function refuseDamaged(file: string): void {
  if (!existsSync(file)) {
    const kept = keptFor(file);
    if (kept === undefined) return;
    const way = 'put an intact file in its place, or remove the damaged one to start without data';
    throw new StorageError(file, 'damaged', `was damaged and is kept as ${kept}: ${way}`);
  }
  const note = file + CHECK_FAILED;
  if (!existsSync(note)) return;
  const reason = readFileSync(note, 'utf8').trim();
  const way = `put an intact file in its place, or remove ${basename(note)} to open it nevertheless`;
  throw new StorageError(file, 'damaged', `${damage(reason)}; ${way}`);
}

/**
 * Throws if the file of an existing cluster is missing or empty: creating a new one in its place would look like lost
 * data.
 */
export function refuseLost(file: string): void {
  if (existsSync(dirname(file))) refuseDamaged(file);
  if (!existsSync(file)) {
    throw new StorageError(file, 'damaged', 'is missing: restore it, or delete the cluster');
  }
  if (statSync(file).size > 0) return;
  throw new StorageError(file, 'damaged', `is damaged (empty) and is kept as ${setAside(file)}`);
}

/** Prefixes the fault with "is damaged", unless the fault contains these words. */
function damage(fault: string): string {
  return fault.startsWith('is damaged') ? fault : `is damaged: ${fault}`;
}

function keptFor(file: string): string | undefined {
  const start = basename(file) + DAMAGED;
  return readdirSync(dirname(file)).find((name) => name.startsWith(start) && !/-(wal|shm)$/.test(name));
}

/** True if a process did not close the file properly: its WAL still exists. */
export function wasLeftOpen(dir: string, name: string): boolean {
  const log = join(dir, `${name}-wal`);
  return existsSync(log) && statSync(log).size > 0;
}
