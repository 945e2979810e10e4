import { join } from 'node:path';
import { migrations as accessMigrations } from '../access/index.ts';
import { rateMigrations } from '../api/index.ts';
import { eventMigrations } from '../events/index.ts';
import type { Family } from '../resources/family.ts';
import type { Migration } from '../store/index.ts';
import { taskMigrations } from '../tasks/index.ts';

/** Where the build keeps a database that has all tables and nothing in them; from source there is none. */
export const EMPTY_DATABASE = join(import.meta.dirname, 'empty.sqlite');

/** All tables of a service but the store's own. */
export function migrationsOf(families: readonly Family[]): Migration[] {
  return [
    ...taskMigrations,
    ...eventMigrations,
    ...accessMigrations,
    ...rateMigrations,
    ...families.flatMap((family) => family.migrations ?? []),
  ];
}
