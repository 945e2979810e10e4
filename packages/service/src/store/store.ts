import type { Kysely, RawBuilder } from 'kysely';
import type { CacheKey } from './cache-keys.ts';
import type { StoreErrorKind } from './errors.ts';

/**
 * Rows and transactions over SQLite and PostgreSQL. The store has no business rules.
 *
 * Functions receive a transaction, never the database. A table's columns are declared in the `rows.ts` of its
 * folder as an interface; `tx.from<Tables>()` is the query builder over them. Columns contain what `codec`
 * writes: dates as int64 milliseconds, booleans as 0 and 1, documents as JSON text, sealed secrets as bytes.
 * Tables and columns are named in `snake_case`, which both databases treat the same without quotes.
 */

/** Reads committed data. Statements may see different commits. */
export interface ReadTx {
  from<Tables>(): Kysely<Tables>;
  /** Service time at the start of the transaction. */
  readonly now: Date;
  readonly capabilities: StoreCapabilities;
  /** Machine time in milliseconds, for leases and retries: from the database's clock if several machines write. */
  machineTime(): RawBuilder<number>;
}

/** An atomic read-write transaction. It may run more than once, so its work must do no other I/O. */
export interface Tx extends ReadTx {
  /** A new identifier. */
  id(): string;
  /** Calls `run` after the commit, in this process. `run` must not throw. */
  afterCommit(run: () => void): void;
  /** Invalidates cached values under these keys (`store/cache.ts`) when the transaction commits. */
  touch(...keys: readonly CacheKey[]): void;
  /** Passes `value` to the subscribers of the topic, inside this transaction: an error rolls it back. */
  publish<T>(topic: Topic<T>, value: T): Promise<void>;
}

/** A topic for `subscribe` and `tx.publish`, compared by identity. */
export interface Topic<T> {
  readonly name: string;
  /** Phantom field for the type of the values. */
  readonly of?: T;
}

/** A subscriber to a topic, passed to `openStore`. */
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
  /** Like `read`, and can later tell whether everything read is unchanged; absent if that would require a query. */
  readonly watch?: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<Watched<T>>;
  /**
   * Runs `work` in a write transaction: SERIALIZABLE with retry on PostgreSQL; on SQLite one savepoint of a
   * commit that waiting writes share. Resolves after the commit is durable. `work` must await everything it
   * starts, and must not call the store's `read` or `write`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Copies the whole database to a file, which is durable when this resolves. Writes wait while `meanwhile` runs, so
   * that its work belongs to the same snapshot; they continue while the snapshot is copied. Absent if other processes
   * write too.
   */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /**
   * Calls `listener` after each commit of this process that touched keys; returns a function that unsubscribes.
   */
  onTouch(listener: (keys: ReadonlySet<CacheKey>) => void): () => void;
  /** Why the store is not available: the error of a test read, or of a recent write. */
  trouble(): Promise<StoreErrorKind | undefined>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False for data that may be lost, such as last uses: it survives the process, but not a power failure unless a
   * synced write follows. The database may sync it anyway.
   */
  readonly synced?: boolean;
}

export interface Watched<T> {
  readonly value: T;
  /** False once any table that was read has changed, even in other rows. */
  unchanged(): boolean;
}

/** Differences between databases; callers do not check which database it is. */
export interface StoreCapabilities {
  /** Other processes write to the same database, so that caches become stale without notice. */
  readonly shared: boolean;
  /** Rows can be locked one by one (`FOR UPDATE SKIP LOCKED`). */
  readonly rowLocks: boolean;
}

/**
 * One schema change. The store collects the migrations of all folders by number, applies the missing ones at
 * startup, and rejects a database with an unknown number.
 */
export interface Migration {
  /** Unique over all folders, and never reused: tens for the core, hundreds for resources. */
  readonly number: number;
  readonly name: string;
  /** Statements in the common subset of both databases; see `store/schema.ts` for the column types. */
  up(schema: MigrationSchema): Promise<void>;
}

/** Runs statements of a migration, and reads and writes its rows. */
export interface MigrationSchema {
  /**
   * The query builder over tables as they are at this point of the migration. Their types are declared beside the
   * migration: those of `rows.ts` change later.
   */
  from<Tables>(): Kysely<Tables>;
  /** The rows of a table in the order of a text key, read some at a time; they may be changed meanwhile. */
  rows<Row>(table: string, key: string & keyof Row): AsyncGenerator<Row>;
  /**
   * Runs one statement. `{text}`, `{int64}`, `{real}` and `{bytes}` stand for the database's column types;
   * `{strict}` at the end of CREATE TABLE for STRICT where it exists. Keys are `{text}`.
   */
  run(statement: string): Promise<void>;
}
