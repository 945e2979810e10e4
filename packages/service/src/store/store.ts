import type { Kysely, RawBuilder } from 'kysely';
import type { CacheKey } from './cache-keys.ts';
import type { StoreErrorKind } from './errors.ts';

/**
 * Rows and transactions over SQLite and PostgreSQL. The store has no business rules.
 * Functions receive a transaction, never the database. The `rows.ts` of a folder declares the columns of its tables as
 * an interface, and `tx.from<Tables>()` is the query builder for them. Columns contain what `codec` writes: dates as
 * int64 milliseconds, booleans as 0 and 1, documents as JSON text, sealed secrets as bytes. Names of tables and columns
 * are in `snake_case`, which both databases treat the same without quotes.
 */

/** Reads committed data. Two statements may see different commits. */
export interface ReadTx {
  from<Tables>(): Kysely<Tables>;
  /** Service time at the start of the transaction. */
  readonly now: Date;
  readonly capabilities: StoreCapabilities;
  /**
   * Returns an SQL expression for the machine time in milliseconds, for leases and retries. If several machines write,
   * the time comes from the database's clock.
   */
  machineTime(): RawBuilder<number>;
}

/** An atomic read-write transaction. It may run more than once, so its code must do no other I/O. */
export interface Tx extends ReadTx {
  /** Returns a new identifier. */
  id(): string;
  /** Calls `run` in this process after the commit. `run` must not throw. */
  afterCommit(run: () => void): void;
  /** Invalidates the values that are cached under these keys (`store/cache.ts`) when the transaction commits. */
  touch(...keys: readonly CacheKey[]): void;
  /** Passes `value` to the subscribers of a topic, inside this transaction. An error rolls the transaction back. */
  publish<T>(topic: Topic<T>, value: T): Promise<void>;
}

/** A topic for `subscribe` and `tx.publish`. Topics are compared by identity. */
export interface Topic<T> {
  readonly name: string;
  /** Never set; carries the type of the values. */
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
   * Like `read`, but the result also has a function that returns whether everything that was read is unchanged. Absent
   * if that would require a query.
   */
  readonly watch?: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<Watched<T>>;
  /**
   * Runs `work` in a write transaction: on PostgreSQL a SERIALIZABLE one, with retry; on SQLite a savepoint in a commit
   * that several writes share. Resolves once the commit is durable. `work` must await everything it starts, and must
   * not call the store's `read` or `write`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Copies the whole database to a file, which is durable when the promise resolves. While `meanwhile` runs, writes
   * wait, so that its work belongs to the same snapshot. Writes continue while the snapshot is copied. Absent if other
   * processes write to the database too.
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
   * Set to false for data that may be lost, such as times of last use. Such data survives the end of the process. It
   * survives a power failure only if a synced write follows, or if the database syncs it anyway.
   */
  readonly synced?: boolean;
}

export interface Watched<T> {
  readonly value: T;
  /** Returns false once any table that was read has changed, even if the rows that were read have not. */
  unchanged(): boolean;
}

/** The differences between the databases. Code must check a capability, not the kind of database. */
export interface StoreCapabilities {
  /** Whether other processes write to the same database. Caches then become stale without notice. */
  readonly shared: boolean;
  /** Whether rows can be locked one by one (`FOR UPDATE SKIP LOCKED`). */
  readonly rowLocks: boolean;
}

/**
 * One schema change. At startup, the store applies the missing migrations of all folders in the order of their numbers.
 * It rejects a database in which an unknown number was applied.
 */
export interface Migration {
  /**
   * Unique over all folders, and never reused. Core folders have ranges of ten numbers, resources ranges of a hundred.
   */
  readonly number: number;
  readonly name: string;
  /** Runs the migration, with statements that both databases understand. `store/schema.ts` has the column types. */
  up(schema: MigrationSchema): Promise<void>;
}

/** Runs the statements of a migration, and reads and writes its rows. */
export interface MigrationSchema {
  /**
   * The query builder for the tables as they are at this point of the migrations. Declare the types of the tables in
   * the migration, since those in `rows.ts` will change later.
   */
  from<Tables>(): Kysely<Tables>;
  /**
   * Reads the rows of a table in batches, in the order of a text key. Rows may be changed while they are being read.
   */
  rows<Row>(table: string, key: string & keyof Row): AsyncGenerator<Row>;
  /**
   * Runs one statement. `{text}`, `{int64}`, `{real}` and `{bytes}` stand for the database's column types, and
   * `{strict}` at the end of CREATE TABLE for STRICT where it exists. Keys are of type `{text}`.
   */
  run(statement: string): Promise<void>;
}
