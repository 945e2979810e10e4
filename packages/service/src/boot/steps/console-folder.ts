import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The first folder exists in the published package; `npm start` builds the second in a clone. */
const folders = [
  join(import.meta.dirname, '..', '..', '..', 'console'),
  join(import.meta.dirname, '..', '..', '..', '..', 'console', 'dist'),
];

/** Returns the folder of the built console; undefined if it is not built. */
export function consoleFolder(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
