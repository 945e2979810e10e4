import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const SEARCH_FILE = 'search.db';

/** Deletes the search file when its data is gone or its key has changed. The file must be closed. */
export function removeSearchFile(dir: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(join(dir, SEARCH_FILE + suffix), { force: true });
  }
}
