import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const SEARCH_FILE = 'search.db';

/** What is indexed in it belongs to data that are no longer there, or to another key. Nobody has it open. */
export function removeSearchFile(dir: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(join(dir, SEARCH_FILE + suffix), { force: true });
  }
}
