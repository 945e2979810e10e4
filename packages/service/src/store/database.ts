import type { Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes } from './schema.ts';
import type { StoreCapabilities, Watched, WriteOptions } from './store.ts';

/** The interface of a database to the store. */
export interface Database {
  readonly capabilities: StoreCapabilities;
  readonly columnTypes: ColumnTypes;
  /** Location of the data for messages, without credentials. */
  readonly place: string;
  machineTime(): RawBuilder<number>;
  read<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /** As `read`; absent if other processes write too. */
  readonly watch?: <T>(work: (db: Connection) => Promise<T>) => Promise<Watched<T>>;
  write<T>(attempt: (db: Connection) => Promise<Outcome<T>>, options?: WriteOptions): Promise<T>;
  /** See `Store`. */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /**
   * A write transaction in which every statement sees earlier commits of others (READ COMMITTED), so that after
   * waiting for a lock it sees the changes of its holder.
   */
  exclusively<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A query builder for one connection, without table types. */
export type Connection = Kysely<unknown>;

/** The result of a transaction to commit. */
export interface Outcome<T> {
  readonly value: T;
  /** Called synchronously after the commit. */
  committed(): void;
}
