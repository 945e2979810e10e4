import { join } from 'node:path';

/** What tests start: the program as the package has it, where `npm test` has built it, else the source. */
export const MAIN =
  process.env.TESTED_PROGRAM ?? join(import.meta.dirname, '../../packages/portolan/src/main.ts');
