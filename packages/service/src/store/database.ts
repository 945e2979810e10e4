import type { Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes } from './schema.ts';
import type { StoreCapabilities, Watched, WriteOptions } from './store.ts';

/** The operations of a database that the store requires. */
export interface Database {
  readonly capabilities: StoreCapabilities;
  readonly columnTypes: ColumnTypes;
  /** The location of the data, for messages. It contains no credentials. */
  readonly place: string;
  machineTime(): RawBuilder<number>;
  read<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /**
   * Like `read`, but the result also has a function that returns whether the tables that were read are still
   * unchanged. Absent if other processes also write to the database.
   */
  readonly watch?: <T>(work: (db: Connection) => Promise<T>) => Promise<Watched<T>>;
  write<T>(attempt: (db: Connection) => Promise<Outcome<T>>, options?: WriteOptions): Promise<T>;
  /** Copies the database to a file. See `copyTo` of `Store`. */
  readonly copyTo?: (file: string, meanwhile: () => Promise<void>) => Promise<void>;
  /**
   * Runs a write transaction in which every statement sees everything that was committed before the statement (READ
   * COMMITTED). A statement that waits for a lock then sees the changes of the transaction that held the lock.
   */
  exclusively<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A query builder for one connection. It has no types for tables. */
export type Connection = Kysely<unknown>;

/** The result of a transaction that should be committed. */
export interface Outcome<T> {
  readonly value: T;
  /** Called synchronously after the commit. */
  committed(): void;
}
