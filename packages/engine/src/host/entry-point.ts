import { dirname, extname, join } from 'node:path';

/** The file of another process or thread, named without extension: `.ts` in the source, `.js` in the build. */
export function entryPoint(from: string, relative: string): string {
  return join(dirname(from), relative + extname(from));
}
