import type { MachineClock, ServiceClock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { migrate } from './migrate.ts';
import { storeMigrations } from './migrations.ts';
import { openPostgres } from './postgres/database.ts';
import { openSqlite } from './sqlite/database.ts';
import type { Migration, Store, TopicHandler } from './store.ts';
import { touches } from './touches.ts';
import { transactions } from './transaction.ts';

/** A file of this machine (SQLite), or the URL of a server that speaks PostgreSQL's protocol. */
export type DatabaseLocation =
  | { readonly file: string }
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
  const { database: at, handlers = [] } = options;
  const database =
    'file' in at ? openSqlite(at.file, options) : await openPostgres(at.url, at.poolSize, options);
  try {
    await migrate(database, [...storeMigrations, ...options.migrations], options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return storeOver(database, options, handlers);
}

function storeOver(database: Database, options: StoreOptions, handlers: readonly TopicHandler[]): Store {
  const touched = touches();
  const make = transactions({ ...options, database, handlers, touched });
  let closing: Promise<void> | undefined;
  const whileOpen = async <T>(run: () => Promise<T>): Promise<T> => {
    if (closing) throw new StoreError('closed', 'The store is closed');
    return run();
  };
  return {
    capabilities: database.capabilities,
    read: (work) => whileOpen(() => database.read((db) => work(make.read(db)))),
    write: (work) =>
      whileOpen(() =>
        database.write(async (db) => {
          const { tx, committed } = make.write(db);
          return { value: await work(tx), committed };
        }),
      ),
    onTouch: touched.listen,
    close() {
      closing ??= database.close();
      return closing;
    },
  };
}
