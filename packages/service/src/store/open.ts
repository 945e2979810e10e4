import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Ids } from '@portolan/foundation/ids';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { storeHealth } from './health.ts';
import { migrate } from './migrate.ts';
import { storeMigrations } from './migrations.ts';
import { openSqlite } from './sqlite/database.ts';
import { copyEmptyDatabase } from './sqlite/empty-database.ts';
import type { Migration, Store, TopicHandler } from './store.ts';
import { touches } from './touches.ts';
import { transactions } from './transaction.ts';

/**
 * Where the database is: in a file of this machine (SQLite), or at the URL of a server that understands PostgreSQL's
 * protocol.
 */
export type DatabaseLocation =
  | {
      readonly file: string;
      /** File of an empty database with all tables. It is copied if the database does not exist yet. */
      readonly empty?: string;
    }
  | {
      readonly url: string;
      /** Maximum number of connections; 10 by default. */
      readonly poolSize?: number;
    };

export interface StoreOptions {
  readonly database: DatabaseLocation;
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  /** Migrations of all folders, in any order. The store adds its own migrations. */
  readonly migrations: readonly Migration[];
  /** Subscribers to published topics. */
  readonly handlers?: readonly TopicHandler[];
  /** For tests: replaces the clock behind `tx.machineTime()`, in milliseconds. */
  readonly leaseClock?: () => number;
}

/** Opens the database and applies migrations. Throws a `StoreError` with a message for the operator. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { handlers = [] } = options;
  const database = await openDatabase(options);
  try {
    await migrate(database, [...storeMigrations, ...options.migrations], options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return storeOver(database, options, handlers);
}

/** Loads the client for PostgreSQL only if it is used. With SQLite, this saves 16 ms and 10 MB at startup. */
async function openDatabase(options: StoreOptions): Promise<Database> {
  const { database: at } = options;
  if ('file' in at) {
    if (at.empty !== undefined) await copyEmptyDatabase(at.file, at.empty);
    return openSqlite(at.file, options);
  }
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(at.url, at.poolSize, options);
}

function storeOver(database: Database, options: StoreOptions, handlers: readonly TopicHandler[]): Store {
  const touched = touches();
  const make = transactions({ ...options, database, handlers, touched });
  const { watch, copyTo } = database;
  const trouble = storeHealth(database, options.machine);
  let closing: Promise<void> | undefined;
  const whileOpen = async <T>(run: () => Promise<T>): Promise<T> => {
    if (closing) throw new StoreError('closed', 'The store is closed');
    return run();
  };
  return {
    capabilities: database.capabilities,
    read: (work) => whileOpen(() => database.read((db) => work(make.read(db)))),
    ...(watch ? { watch: (work) => whileOpen(() => watch((db) => work(make.read(db)))) } : {}),
    write: (work, options) =>
      whileOpen(() => {
        const written = database.write(async (db) => {
          const { tx, committed } = make.write(db);
          return { value: await work(tx), committed };
        }, options);
        written.catch(trouble.noteFailure);
        return written;
      }),
    ...(copyTo ? { copyTo: (file, meanwhile) => whileOpen(() => copyTo(file, meanwhile)) } : {}),
    onTouch: touched.listen,
    trouble: trouble.check,
    close() {
      closing ??= database.close();
      return closing;
    },
  };
}
