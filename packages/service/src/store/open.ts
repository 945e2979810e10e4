import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Ids } from '@portolan/foundation/ids';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { migrate } from './migrate.ts';
import { storeMigrations } from './migrations.ts';
import { openSqlite } from './sqlite/database.ts';
import { layFirstFile } from './sqlite/first-file.ts';
import type { Migration, Store, TopicHandler } from './store.ts';
import { touches } from './touches.ts';
import { transactions } from './transaction.ts';
import { troubleOf } from './trouble.ts';

/** A file of this machine (SQLite), or the URL of a server that speaks PostgreSQL's protocol. */
export type DatabaseLocation =
  | {
      readonly file: string;
      /** A database that a missing one begins as. */
      readonly empty?: string;
    }
  | {
      readonly url: string;
      /** Connections held at most; 10 by default. */
      readonly poolSize?: number;
    };

export interface StoreOptions {
  readonly database: DatabaseLocation;
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  /** Of all folders but the store's own, in any order. */
  readonly migrations: readonly Migration[];
  /** Who listens to what transactions publish. */
  readonly handlers?: readonly TopicHandler[];
  /** Milliseconds for `tx.machineTime()`, in place of the machine's or the database's clock: for tests. */
  readonly leaseClock?: () => number;
}

/** Opens the database and brings its tables up to date. Throws a `StoreError` with one clear sentence. */
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

/** The client of the one database is not loaded for the other: it costs a start 16 ms and 10 MB. */
async function openDatabase(options: StoreOptions): Promise<Database> {
  const { database: at } = options;
  if ('file' in at) {
    if (at.empty !== undefined) await layFirstFile(at.file, at.empty);
    return openSqlite(at.file, options);
  }
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(at.url, at.poolSize, options);
}

function storeOver(database: Database, options: StoreOptions, handlers: readonly TopicHandler[]): Store {
  const touched = touches();
  const make = transactions({ ...options, database, handlers, touched });
  const { watch, copyTo } = database;
  const trouble = troubleOf(database, options.machine);
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
    trouble: trouble.ask,
    close() {
      closing ??= database.close();
      return closing;
    },
  };
}
