import type { Random } from '../../../runtime/random.ts';
import type { RawDocument } from '../language/raw.ts';
import { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { Connection } from './connection.ts';
import { openFile } from './format.ts';
import type { Oplog, OplogSource } from './oplog/oplog.ts';
import { RetryTable } from './retry-table.ts';
import { Transaction } from './transaction.ts';

/** The data of one cluster: one file, one writer. */
export class ClusterStore {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #catalog: Catalog;
  readonly #random: Random;
  /** What became of statements that may be sent again. */
  readonly retries: RetryTable;

  private constructor(connection: Connection, random: Random, source: OplogSource) {
    this.#connection = connection;
    this.#transaction = new Transaction(connection);
    this.#catalog = new Catalog(connection, this.#transaction, source);
    this.#random = random;
    this.retries = new RetryTable(connection);
    if (!this.#catalog.hasOplog) this.write(() => this.#catalog.createOplog(this.#newUuid()));
  }

  /** Opens the cluster in `dir`, or makes it. Throws `StorageError` when its file cannot be used. */
  static open(dir: string, random: Random, source: OplogSource): ClusterStore {
    const connection = openFile(dir);
    try {
      return new ClusterStore(connection, random, source);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Runs `work` in one write transaction; when this returns, what it wrote is on the disk. */
  write<T>(work: () => T): T {
    try {
      return this.#transaction.run(work, () => this.#catalog.finish());
    } finally {
      this.#catalog.forgetTouched();
    }
  }

  /** Inside `write`: a part that may fail alone. */
  savepoint<T>(work: () => T): T {
    return this.#transaction.savepoint(work);
  }

  /** Forgets what numbered writes did that nobody has sent since that machine time; false when nothing is left. */
  forgetRetries(time: number): boolean {
    return this.#transaction.run(
      () => this.retries.forget(time),
      () => {},
    );
  }

  get oplog(): Oplog {
    return this.#catalog.oplog;
  }

  /** Sorted by name. */
  databases(): string[] {
    return this.#catalog.databases();
  }

  /** Sorted by name. */
  collections(database: string): Collection[] {
    return this.#catalog.collections(database);
  }

  collection(database: string, name: string): Collection | undefined {
    return this.#catalog.find(database, name);
  }

  /** Inside `write`. There is no collection of that name yet. */
  create(database: string, name: string, options: RawDocument): Collection {
    return this.#catalog.create(database, name, this.#newUuid(), options);
  }

  #newUuid(): Uint8Array {
    return Buffer.from(this.#random.uuid().replaceAll('-', ''), 'hex');
  }

  /** Inside `write`. Streams over the collection end with `CollectionDropped`. */
  drop(collection: Collection): void {
    this.#catalog.drop(collection);
  }

  /** Inside `write`, when the last of a database's collections has gone. */
  databaseDropped(database: string): void {
    this.#catalog.oplog.databaseDropped(database);
  }

  /** Gives cached pages back to the system. */
  shrink(): void {
    this.#connection.exec('PRAGMA shrink_memory');
  }

  close(): void {
    this.#connection.close();
  }
}
