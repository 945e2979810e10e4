import type { Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes } from './schema.ts';
import type { StoreCapabilities, Watched, WriteOptions } from './store.ts';

/** What the store needs from a kind of database; everything above it is the same for all of them. */
export interface Database {
  readonly capabilities: StoreCapabilities;
  readonly columnTypes: ColumnTypes;
  /** Where the data is, without credentials; messages name it. */
  readonly place: string;
  machineTime(): RawBuilder<number>;
  read<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /** As `read`; absent where other processes write too. */
  readonly watch?: <T>(work: (db: Connection) => Promise<T>) => Promise<Watched<T>>;
  write<T>(attempt: (db: Connection) => Promise<Outcome<T>>, options?: WriteOptions): Promise<T>;
  /** See `Store`. */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /**
   * A write transaction in which every statement sees what others have committed before it, so that whoever waited
   * for a lock sees what its holder did.
   */
  exclusively<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A query builder bound to one connection. Which tables there are only the caller knows. */
export type Connection = Kysely<unknown>;

/** What an attempt at a transaction leads to, once it is committed. */
export interface Outcome<T> {
  readonly value: T;
  /** Called right after the commit, before anything else of this process runs. */
  committed(): void;
}
