import { join } from 'node:path';
import { migrations as accessMigrations } from '../access/index.ts';
import { rateMigrations } from '../api/index.ts';
import { eventMigrations } from '../events/index.ts';
import type { Family } from '../resources/family.ts';
import type { Migration } from '../store/index.ts';
import { taskMigrations } from '../tasks/index.ts';

/**
 * An empty database with all tables. The build creates this file; it does not exist when the service runs from
 * source.
 */
export const EMPTY_DATABASE = join(import.meta.dirname, 'empty.sqlite');

/** Returns all migrations of a service, except those of the store itself. */
export function migrationsOf(families: readonly Family[]): Migration[] {
  return [
    ...taskMigrations,
    ...eventMigrations,
    ...accessMigrations,
    ...rateMigrations,
    ...families.flatMap((family) => family.migrations ?? []),
  ];
}
