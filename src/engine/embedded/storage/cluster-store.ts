import type { Random } from '../../../runtime/random.ts';
import type { RawDocument } from '../language/raw.ts';
import { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { Connection } from './connection.ts';
import { openFile } from './format.ts';
import { Transaction } from './transaction.ts';

/** The data of one cluster: one file, one writer. */
export class ClusterStore {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #catalog: Catalog;
  readonly #random: Random;

  private constructor(connection: Connection, random: Random) {
    this.#connection = connection;
    this.#transaction = new Transaction(connection);
    this.#catalog = new Catalog(connection, this.#transaction);
    this.#random = random;
  }

  /** Opens the cluster in `dir`, or makes it. Throws `StorageError` when its file cannot be used. */
  static open(dir: string, random: Random): ClusterStore {
    const connection = openFile(dir);
    try {
      return new ClusterStore(connection, random);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Runs `work` in one write transaction; when this returns, what it wrote is on the disk. */
  write<T>(work: () => T): T {
    try {
      return this.#transaction.run(work, () => this.#catalog.writeCounts());
    } finally {
      this.#catalog.forgetTouched();
    }
  }

  /** Inside `write`: a part that may fail alone. */
  savepoint<T>(work: () => T): T {
    return this.#transaction.savepoint(work);
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
    const uuid = Buffer.from(this.#random.uuid().replaceAll('-', ''), 'hex');
    return this.#catalog.create(database, name, uuid, options);
  }

  /** Inside `write`. Streams over the collection end with `CollectionDropped`. */
  drop(collection: Collection): void {
    this.#catalog.drop(collection);
  }

  /** Gives cached pages back to the system. */
  shrink(): void {
    this.#connection.exec('PRAGMA shrink_memory');
  }

  close(): void {
    this.#connection.close();
  }
}
