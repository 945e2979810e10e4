import type { Kysely, RawBuilder } from 'kysely';
import type { CacheKey } from './cache-keys.ts';
import type { StoreErrorKind } from './errors.ts';

/**
 * This file defines the transactions of the store, over SQLite and PostgreSQL. The store has no business
 * rules. Functions receive a transaction as an argument, never the database. The `rows.ts` of a folder
 * declares the columns of its tables as an interface, and `tx.from<Tables>()` is the query builder for these
 * tables. Columns contain what `codec` writes: dates as int64 milliseconds, booleans as 0 and 1, documents as
 * JSON text, and encrypted secrets as bytes. Names of tables and columns are in `snake_case`, which both
 * databases treat in the same way without quotes.
 */

/** Reads committed data. Two statements of the same transaction may see different commits. */
export interface ReadTx {
  from<Tables>(): Kysely<Tables>;
  /** Service time at the start of the transaction. */
  readonly now: Date;
  readonly capabilities: StoreCapabilities;
  /**
   * Returns an SQL expression for the machine time in milliseconds, for leases and retries. If several machines write
   * to the database, the time is that of the database server's clock.
   */
  machineTime(): RawBuilder<number>;
}

/** An atomic read-write transaction. Its code may run more than once, so the code must do no other I/O. */
export interface Tx extends ReadTx {
  /** Returns a new identifier. */
  id(): string;
  /** Calls `run` in this process after the commit. `run` must not throw. */
  afterCommit(run: () => void): void;
  /** Invalidates the values that are cached under these keys (`store/cache.ts`) when the transaction commits. */
  touch(...keys: readonly CacheKey[]): void;
  /**
   * Passes `value` to the subscribers of a topic, inside this transaction. If a subscriber throws, the transaction is
   * rolled back.
   */
  publish<T>(topic: Topic<T>, value: T): Promise<void>;
}

/** A topic for `subscribe` and `tx.publish`. Topics are compared by identity. */
export interface Topic<T> {
  readonly name: string;
  /** This property is never set. It only carries the type of the values. */
  readonly of?: T;
}

/** A subscriber to a topic, as passed to `openStore`. */
export interface TopicHandler {
  readonly topic: string;
  handle(tx: Tx, value: never): Promise<void>;
}

export function subscribe<T>(topic: Topic<T>, handle: (tx: Tx, value: T) => Promise<void>): TopicHandler {
  return { topic: topic.name, handle };
}

export interface Store {
  readonly capabilities: StoreCapabilities;
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /**
   * Like `read`, but the result also has a function that returns whether everything that was read is still unchanged.
   * Absent if finding this out would require a query.
   */
  readonly watch?: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<Watched<T>>;
  /**
   * Runs `work` in a write transaction. On PostgreSQL, the transaction is SERIALIZABLE and is retried after conflicts.
   * On SQLite, it is a savepoint in a commit that several writes share. The promise resolves once the commit is
   * durable. `work` must await everything it starts, and must not call `read` or `write` of the store.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Copies the whole database to a file, which is durable when the promise resolves. The copy contains the data as it
   * is while `meanwhile` runs. Writes wait while `meanwhile` runs, and continue while the file is copied. Absent if
   * other processes also write to the database.
   */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /** Calls `listener` after each commit of this process that touched keys. Returns a function that unsubscribes. */
  onTouch(listener: (keys: ReadonlySet<CacheKey>) => void): () => void;
  /**
   * Returns why the store is not available: the error of a test read or of a recent write. Undefined if the store is
   * available.
   */
  trouble(): Promise<StoreErrorKind | undefined>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * Whether the commit is synced to disk; true by default. Use false for data that may be lost, such as times of last
   * use. Such data survives the end of the process. After a power failure, it may be missing unless a synced write
   * followed it or the database synced it anyway.
   */
  readonly synced?: boolean;
}

export interface Watched<T> {
  readonly value: T;
  /**
   * Returns false once any table that was read has changed, even if the change does not affect the rows that were read.
   */
  unchanged(): boolean;
}

/** The differences between the databases. Code must check a capability, not the kind of database. */
export interface StoreCapabilities {
  /** Whether other processes write to the same database. Without an expiry, caches would then stay outdated. */
  readonly shared: boolean;
  /** Whether rows can be locked one by one (`FOR UPDATE SKIP LOCKED`). */
  readonly rowLocks: boolean;
}

/**
 * One schema change. At startup, the store applies the missing migrations of all folders in the order of their numbers.
 * It rejects a database to which a migration with an unknown number was applied.
 */
export interface Migration {
  /**
   * The number is unique over all folders, and is never reused. Core folders have ranges of ten numbers, and resources
   * have ranges of a hundred.
   */
  readonly number: number;
  readonly name: string;
  /** Runs the migration, with statements that both databases understand. `store/schema.ts` has the column types. */
  up(schema: MigrationSchema): Promise<void>;
}

/** Runs the statements of a migration, and reads and writes its rows. */
export interface MigrationSchema {
  /**
   * Returns the query builder for the tables as they are at this point of the migrations. Declare the types of the
   * tables in the migration, because the types in `rows.ts` will change later.
   */
  from<Tables>(): Kysely<Tables>;
  /**
   * Reads the rows of a table in batches, in the order of a text key. Rows may be changed while they are being read.
   */
  rows<Row>(table: string, key: string & keyof Row): AsyncGenerator<Row>;
  /**
   * Runs one statement. `{text}`, `{int64}`, `{real}` and `{bytes}` stand for the database's column types. `{strict}`
   * at the end of CREATE TABLE stands for STRICT if the database supports it. Keys have the type `{text}`.
   */
  run(statement: string): Promise<void>;
}
