import { join } from 'node:path';

/** The program that tests start: the build if `npm test` has made one; otherwise the source. */
export const MAIN =
  process.env.TESTED_PROGRAM ?? join(import.meta.dirname, '../../packages/portolan/src/main.ts');
