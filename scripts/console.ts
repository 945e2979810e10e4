/** `node scripts/run.cjs scripts/console.ts` builds the console of a clone if its sources have changed. */
import { dirname } from 'node:path';
import { buildConsoleIfStale } from './build/console.ts';

await buildConsoleIfStale(dirname(import.meta.dirname));
