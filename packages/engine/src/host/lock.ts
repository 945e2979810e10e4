import { lockFile } from '@portolan/foundation/file-lock';

/** Another engine host runs in this data directory. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Holds a data directory for this process alone. Throws `AlreadyRunning`. */
export function lock(path: string): { release(): void } {
  const release = lockFile(path);
  if (release === undefined) throw new AlreadyRunning(`${path} is held by another process`);
  return { release };
}
