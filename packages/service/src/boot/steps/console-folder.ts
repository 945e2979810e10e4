import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** In the published package, and where `npm start` builds it in a clone. */
const folders = [
  join(import.meta.dirname, '..', '..', '..', 'console'),
  join(import.meta.dirname, '..', '..', '..', '..', 'console', 'dist'),
];

/** The folder of the built console; undefined if it is not built. */
export function consoleFolder(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
