import { lockFile } from '@portolan/foundation/file-lock';

/** Another engine host uses the data directory. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Locks a data directory for this process. Throws `AlreadyRunning`. */
export function lock(path: string): { release(): void } {
  const release = lockFile(path);
  if (release === undefined) throw new AlreadyRunning(`${path} is held by another process`);
  return { release };
}
