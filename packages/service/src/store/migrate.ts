import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Connection, Database } from './database.ts';
import { StoreError } from './errors.ts';
import { migrationSchema } from './schema.ts';
import type { Migration } from './store.ts';

type MigrationTables = {
  migration: { number: number; name: string; applied: number };
};

/** The row that an instance locks during migrations. */
const LOCK_ROW = 0;

/**
 * Applies the missing migrations. Only one instance does this at a time. Each migration has its own transaction. On an
 * empty database, all migrations share one transaction, which avoids some 50 disk syncs at the first start.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  parts: { readonly machine: MachineClock; readonly log: Log },
): Promise<void> {
  const ordered = inOrder(migrations);
  const create = () => database.exclusively((db) => createMigrationTable(db, database));
  // Retry, because several instances may run CREATE TABLE on an empty PostgreSQL database at the same time. All but one
  // of them fail then, despite IF NOT EXISTS.
  await create().catch(create);
  const applied = await database.exclusively(appliedMigrations);
  refuseNewer(applied, ordered, database.place);
  const missing = ordered.filter(({ number }) => !applied.has(number));
  const together = applied.size === 0 ? [missing] : missing.map((migration) => [migration]);
  for (const some of together) {
    await database.exclusively((db) => apply(db, database, some, parts.machine.now()));
  }
  if (missing.length > 0) parts.log.info({ migrations: missing.length }, 'applied migrations');
}

function inOrder(migrations: readonly Migration[]): Migration[] {
  const ordered = migrations.toSorted((a, b) => a.number - b.number);
  ordered.forEach((migration, index) => {
    const before = ordered[index - 1];
    if (before?.number === migration.number) {
      const names = `"${before.name}" and "${migration.name}"`;
      throw new StoreError('configuration', `Two migrations have the number ${migration.number}: ${names}`);
    }
  });
  return ordered;
}

async function createMigrationTable(db: Connection, database: Database): Promise<void> {
  const schema = migrationSchema(db, database.columnTypes);
  await schema.run(`CREATE TABLE IF NOT EXISTS migration (
    number {int64} PRIMARY KEY,
    name {text} NOT NULL,
    applied {int64} NOT NULL
  ) {strict}`);
  await tables(db)
    .insertInto('migration')
    .values({ number: LOCK_ROW, name: 'lock', applied: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function appliedMigrations(db: Connection): Promise<ReadonlyMap<number, string>> {
  const rows = await tables(db).selectFrom('migration').select(['number', 'name']).execute();
  return new Map(rows.filter((row) => row.number !== LOCK_ROW).map((row) => [row.number, row.name]));
}

function refuseNewer(applied: ReadonlyMap<number, string>, known: readonly Migration[], place: string): void {
  const numbers = new Set(known.map((migration) => migration.number));
  const newer = [...applied].find(([number]) => !numbers.has(number));
  if (newer === undefined) return;
  throw new StoreError(
    'newerFormat',
    `The data in ${place} was written by a newer version of Portolan (migration ${newer[0]}, "${newer[1]}"): ` +
      'start that version instead, or use other data',
  );
}

/** Applies a migration, unless another instance has applied it. */
async function apply(
  db: Connection,
  database: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  // Lock the row until the commit. An UPDATE does this in both databases; SQLite has no SELECT FOR UPDATE.
  await tables(db).updateTable('migration').set({ applied: now }).where('number', '=', LOCK_ROW).execute();
  const there = await appliedMigrations(db);
  const missing = migrations.filter(({ number }) => !there.has(number));
  const schema = migrationSchema(db, database.columnTypes);
  for (const migration of missing) await migration.up(schema);
  const rows = missing.map(({ number, name }) => ({ number, name, applied: now }));
  if (rows.length > 0) await tables(db).insertInto('migration').values(rows).execute();
}

function tables(db: Connection) {
  return db.withTables<MigrationTables>();
}
