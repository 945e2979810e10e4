import { dirname, extname, join } from 'node:path';

/**
 * Returns the entry file of another process or thread. `relative` is a path without an extension. The extension is
 * `.ts` in the source and `.js` in the build.
 */
export function entryPoint(from: string, relative: string): string {
  return join(dirname(from), relative + extname(from));
}
