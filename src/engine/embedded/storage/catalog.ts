import { RawDocument } from '../language/raw.ts';
import { Collection, tableName } from './collection.ts';
import type { Connection } from './connection.ts';
import { StorageError } from './storage-error.ts';
import type { Transaction } from './transaction.ts';

/** Which databases and collections there are: a table, and the same in memory. A database is there while it has collections. */
export class Catalog {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #databases = new Map<string, Map<string, Collection>>();
  /** Collections whose counts differ from their rows. */
  readonly #touched = new Set<Collection>();

  constructor(connection: Connection, transaction: Transaction) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#load();
  }

  #load(): void {
    const tables = new Set(
      this.#connection
        .all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .map(([name]) => name),
    );
    const rows = this.#connection.all<[number, string, string, Uint8Array, Uint8Array, number, number]>(
      'SELECT number, db, name, uuid, options, documents, bytes FROM collections',
    );
    for (const [number, database, name, uuid, options, documents, bytes] of rows) {
      if (!tables.has(tableName(number))) {
        throw new StorageError(
          this.#connection.file,
          'damaged',
          `is damaged: ${database}.${name} has no table`,
        );
      }
      this.#add(this.#collection(number, database, name, uuid, RawDocument.of(options), documents, bytes));
    }
  }

  #collection(
    number: number,
    database: string,
    name: string,
    uuid: Uint8Array,
    options: RawDocument,
    documents: number,
    bytes: number,
  ): Collection {
    return new Collection(
      { number, database, name, uuid, options, documents, bytes },
      this.#connection,
      this.#transaction,
      (collection) => this.#touched.add(collection),
    );
  }

  /** Sorted by name. */
  databases(): string[] {
    return [...this.#databases.keys()].sort();
  }

  /** Sorted by name. */
  collections(database: string): Collection[] {
    const found = [...(this.#databases.get(database)?.values() ?? [])];
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(database: string, name: string): Collection | undefined {
    return this.#databases.get(database)?.get(name);
  }

  create(database: string, name: string, uuid: Uint8Array, options: RawDocument): Collection {
    const { rid } = this.#connection.run(
      'INSERT INTO collections (db, name, uuid, options) VALUES (?, ?, ?, ?)',
      database,
      name,
      uuid,
      options.toBytes(),
    );
    this.#connection.exec(`CREATE TABLE ${tableName(rid)} (
      rid INTEGER PRIMARY KEY, id_key BLOB NOT NULL UNIQUE, doc BLOB NOT NULL) STRICT`);
    const collection = this.#collection(rid, database, name, uuid, options, 0, 0);
    this.#add(collection);
    this.#transaction.undoing(() => this.#remove(collection));
    return collection;
  }

  drop(collection: Collection): void {
    this.#connection.exec(`DROP TABLE ${tableName(collection.number)}`);
    this.#connection.run('DELETE FROM collections WHERE number = ?', collection.number);
    this.#remove(collection);
    collection.dropped = true;
    this.#transaction.undoing(() => {
      collection.dropped = false;
      this.#add(collection);
    });
  }

  #add(collection: Collection): void {
    let names = this.#databases.get(collection.database);
    if (names === undefined) {
      names = new Map();
      this.#databases.set(collection.database, names);
    }
    names.set(collection.name, collection);
  }

  #remove(collection: Collection): void {
    const names = this.#databases.get(collection.database);
    names?.delete(collection.name);
    if (names?.size === 0) this.#databases.delete(collection.database);
  }

  /** Part of each commit: counts change with the documents that they count. */
  writeCounts(): void {
    for (const { documents, bytes, number } of this.#touched) {
      this.#connection.run(
        'UPDATE collections SET documents = ?, bytes = ? WHERE number = ?',
        documents,
        bytes,
        number,
      );
    }
  }

  /** After a commit or a rollback. */
  forgetTouched(): void {
    this.#touched.clear();
  }
}
