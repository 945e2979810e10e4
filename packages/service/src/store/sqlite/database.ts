import type { MachineClock } from '@portolan/foundation/clock';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../database.ts';
import { sqliteColumnTypes } from '../schema.ts';
import { SqliteConnection } from './connection.ts';
import { connectionOver } from './dialect.ts';
import { ReadTables, type TableLinks, TableVersions } from './table-versions.ts';
import { WriteQueue } from './write-queue.ts';

export interface SqliteParts {
  readonly machine: MachineClock;
  readonly leaseClock?: () => number;
}

/**
 * The database has a write-ahead log, which is synced at each commit. Acknowledged writes therefore survive a power
 * failure. A caller can omit the sync for a write whose data may be lost.
 */
const pragmas = [
  // How many milliseconds a statement waits for another process that uses the file. The wait blocks the event loop.
  // Only tools that people run by hand use the file at the same time.
  'busy_timeout = 1000',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  // Each connection caches 16 MiB of pages.
  'cache_size = -16384',
  // At a checkpoint, truncate the log to 64 MiB if it is larger.
  'journal_size_limit = 67108864',
];

/**
 * Opens a database with two connections: one for writes, another for reads of committed data. The process must have
 * locked the data directory, so that no other process writes.
 */
export function openSqlite(file: string, parts: SqliteParts): Database {
  const writer = connect(file, pragmas, parts);
  const reader = connect(file, [...pragmas, 'query_only = ON'], parts);
  const versions = new TableVersions(() => linksOf(reader));
  const queue = new WriteQueue(writer, { ...parts, changes: versions });
  const readable = connectionOver((query) => reader.execute(query));

  return {
    capabilities: { shared: false, rowLocks: false },
    columnTypes: sqliteColumnTypes,
    place: file,
    // SQLite evaluates the function once per statement, because it is in a subquery. Otherwise, SQLite would evaluate
    // it once per row.
    machineTime: () => sql<number>`(select machine_time())`,
    read: (work) => work(readable),
    async watch(work) {
      const tables = new ReadTables(versions);
      const noting = connectionOver((query) => {
        tables.note(query.sql);
        return reader.execute(query);
      });
      return { value: await work(noting), unchanged: () => tables.unchanged() };
    },
    write: (attempt, options) => queue.write(attempt, options),
    async copyTo(to, meanwhile) {
      const source = connect(file, [...pragmas, 'query_only = ON'], parts);
      try {
        await queue.hold(async () => {
          await meanwhile();
          source.beginSnapshot();
        });
        await source.copyTo(to);
      } finally {
        source.close();
      }
    },
    exclusively: (work) =>
      queue.write(async (db) => ({
        value: await work(db),
        committed() {
          reader.followSchema();
          versions.forget();
        },
      })),
    async close() {
      await queue.idle();
      reader.close();
      writer.close();
    },
  };
}

function connect(file: string, settings: readonly string[], parts: SqliteParts): SqliteConnection {
  const connection = new SqliteConnection(file, settings);
  connection.defineFunction(
    'machine_time',
    parts.leaseClock ?? (() => Math.floor(parts.machine.monotonic())),
  );
  return connection;
}

function linksOf(reader: SqliteConnection): TableLinks {
  const query = <Row>(text: string) => reader.execute<Row>(CompiledQuery.raw(text)).rows;
  const tables = query<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const followers = query<{ parent: string; child: string }>(
    `SELECT keys."table" AS parent, tables.name AS child
     FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'`,
  );
  const byParent = Map.groupBy(followers, ({ parent }) => parent);
  return {
    tables: new Set(tables.map(({ name }) => name)),
    followers: new Map([...byParent].map(([parent, rows]) => [parent, rows.map(({ child }) => child)])),
  };
}
