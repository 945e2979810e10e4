import { existsSync, readdirSync } from 'node:fs';

/**
 * Returns the paths of the files and folders below a folder, relative to it. If a process removes a folder meanwhile, the
 * listing starts again. Returns nothing for a folder that does not exist.
 */
export function pathsBelow(folder: string): string[] {
  while (existsSync(folder)) {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return [];
}
