import type { Kysely, RawBuilder } from 'kysely';
import type { CacheKey } from './cache-keys.ts';
import type { StoreErrorKind } from './errors.ts';

/**
 * Rows and transactions, the same over SQLite and PostgreSQL. The store reads and writes; it decides nothing.
 *
 * Functions receive a transaction, never the database. A table's columns are declared in the `rows.ts` of its
 * folder as an interface; `tx.from<Tables>()` is the query builder over them. Columns hold what `codec` writes:
 * dates as int64 milliseconds, booleans as 0 and 1, documents as JSON text, sealed secrets as bytes. Tables and
 * columns are named in `snake_case`, the one spelling that both databases read the same without quotes.
 */

/** Reads what is committed. Several statements may see several commits. */
export interface ReadTx {
  from<Tables>(): Kysely<Tables>;
  /** Service time when the transaction began. */
  readonly now: Date;
  readonly capabilities: StoreCapabilities;
  /** Machine time in milliseconds, for leases and back-off: the database's own clock where several machines write. */
  machineTime(): RawBuilder<number>;
}

/** Reads and writes as one: all of it or nothing. Does no I/O but the database's, and may run more than once. */
export interface Tx extends ReadTx {
  /** A new identifier. */
  id(): string;
  /** Runs once the transaction is committed, in this process. Must not throw. */
  afterCommit(run: () => void): void;
  /** Drops cached values under these keys (`store/cache.ts`) when the transaction commits. */
  touch(...keys: readonly CacheKey[]): void;
  /** Hands `value` to everyone who subscribed to the topic, inside this transaction: what they throw undoes it. */
  publish<T>(topic: Topic<T>, value: T): Promise<void>;
}

/** Something that a transaction tells; `subscribe` and `tx.publish` meet at the same topic value. */
export interface Topic<T> {
  readonly name: string;
  /** Never there: it keeps topics of different values apart. */
  readonly of?: T;
}

/** Who listens to a topic; given to the store when it is opened. */
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
   * As `read`, and tells at any time afterwards whether all that was read still stands; absent where that cannot be
   * told without asking the database.
   */
  readonly watch?: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<Watched<T>>;
  /**
   * Runs `work` in a write transaction of its own: SERIALIZABLE with retry on PostgreSQL; on SQLite one savepoint
   * of a commit that waiting writes share. Resolves after the commit is durable. `work` must await everything it
   * starts, and must not call `read` or `write` of the store itself.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Copies the whole database into a file, which is durable when this resolves. From before `meanwhile` is called until
   * then nothing is written: what it does belongs to the same moment. Absent where other processes write too.
   */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /** Calls `listener` after each commit of this process that touched keys; the answer ends that. */
  onTouch(listener: (keys: ReadonlySet<CacheKey>) => void): () => void;
  /** Why reading or writing does not work at present: what an attempt to read says, or lately one to write. */
  trouble(): Promise<StoreErrorKind | undefined>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False for what nobody was promised, as notes of who called: it outlives the process, and is lost with the power
   * unless a synced write came after it. The database may sync it all the same.
   */
  readonly synced?: boolean;
}

export interface Watched<T> {
  readonly value: T;
  /** False once any table was changed that it was read from, be it in other rows. */
  unchanged(): boolean;
}

/** What differs between databases, asked as questions; nobody asks which database it is. */
export interface StoreCapabilities {
  /** Other processes write to the same database: what is cached grows old without notice. */
  readonly shared: boolean;
  /** Rows can be locked one by one (`FOR UPDATE SKIP LOCKED`). */
  readonly rowLocks: boolean;
}

/**
 * One change of the tables. Folders bring their own; the store gathers them into one list by number, applies what is
 * missing at start, and refuses a database that holds a number it does not know.
 */
export interface Migration {
  /** Unique over all folders, and never reused: tens for the core, hundreds for resources. */
  readonly number: number;
  readonly name: string;
  /** Statements in the common subset of both databases; see `store/schema.ts` for the column types. */
  up(schema: MigrationSchema): Promise<void>;
}

/** Column types that both databases know, and a way to run statements. */
export interface MigrationSchema {
  /**
   * Runs one statement. `{text}`, `{int64}`, `{real}` and `{bytes}` stand for the column types of the database at
   * hand; `{strict}` at the end of a CREATE TABLE for its strictness. Keys are `{text}`.
   */
  run(statement: string): Promise<void>;
}
