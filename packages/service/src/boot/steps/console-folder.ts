import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Folders that may contain the built console: the first in the published package, the second in a clone, where `npm
 * start` builds it.
 */
const folders = [
  join(import.meta.dirname, '..', '..', '..', 'console'),
  join(import.meta.dirname, '..', '..', '..', '..', 'console', 'dist'),
];

/** Returns the folder of the built console; undefined if the console is not built. */
export function consoleFolder(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
