import { join } from 'node:path';
import { companion } from './companion.ts';
import { folder } from './folder.cjs';
import type { DatabaseCalls } from './protocol.ts';

/** Calls the companion that runs databases. */
export const askDatabases = companion<DatabaseCalls>({
  name: 'databases',
  entry: join(folder, '../companion/main'),
  // The first version in which `node:sqlite` needs no flag.
  oldest: '22.13',
});
