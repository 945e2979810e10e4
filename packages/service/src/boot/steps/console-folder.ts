import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the files of a package, and where the sources are built in a clone. */
const folders = [
  join(import.meta.dirname, 'console'),
  join(import.meta.dirname, '..', '..', '..', '..', 'console', 'dist'),
];

/** The folder of the built console; undefined if it is not built. */
export function consoleFolder(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
