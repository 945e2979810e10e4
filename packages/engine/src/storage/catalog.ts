import { RawDocument } from '../bson/raw.ts';
import { ServerError } from '../errors/server-error.ts';
import { bucketsNamed, refuseBuckets } from './buckets/bucket-collection.ts';
import type { Collection, CollectionRow } from './collection/collection.ts';
import { collectionKind } from './collection/kinds.ts';
import type { Connection } from './file/connection.ts';
import { dropTable, isLarge } from './file/leftovers.ts';
import { StorageError } from './file/storage-error.ts';
import { requireRoomForTable } from './file/table-count.ts';
import { tableName } from './file/table-name.ts';
import type { Transaction } from './file/transaction.ts';
import { BEGINNING } from './oplog/entry.ts';
import { OPLOG } from './oplog/name.ts';
import { Oplog } from './oplog/oplog.ts';
import type { OplogSource } from './oplog/time.ts';

/**
 * The databases and collections, in a table of the file and in memory. A database exists while it contains collections.
 */
export class Catalog {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #databases = new Map<string, Map<string, Collection>>();
  /** Collections whose document count in memory differs from the one in the table. */
  readonly #touched = new Set<Collection>();

  readonly #source: OplogSource;
  #oplog: Oplog | undefined;

  constructor(connection: Connection, transaction: Transaction, source: OplogSource) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#source = source;
    this.#load();
  }

  get oplog(): Oplog {
    if (this.#oplog === undefined) throw new Error('the oplog has not been created');
    return this.#oplog;
  }

  get hasOplog(): boolean {
    return this.#oplog !== undefined;
  }

  createOplog(uuid: Uint8Array): void {
    const { database, name } = OPLOG;
    const rid = this.#insertRow(database, name, uuid, Oplog.options);
    Oplog.createTable(this.#connection, rid);
    this.#open({ number: rid, database, name, uuid, options: Oplog.options, documents: 0, bytes: 0 });
    this.oplog.appendNoop(BEGINNING);
  }

  #load(): void {
    const tables = new Set(
      this.#connection
        .all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .map(([name]) => name),
    );
    const rows = this.#connection.all<
      [number, string, string, Uint8Array, Uint8Array, number, number, number | null]
    >(
      // Open the oplog first, because the other collections write to it.
      `SELECT number, db, name, uuid, options, documents, bytes, counted FROM collections
       ORDER BY (db, name) = ('${OPLOG.database}', '${OPLOG.name}') DESC`,
    );
    for (const [number, database, name, uuid, blob, documents, bytes, counted] of rows) {
      if (!tables.has(tableName(number))) {
        throw new StorageError(
          this.#connection.file,
          'damaged',
          `is damaged: ${database}.${name} has no table`,
        );
      }
      const options = RawDocument.of(blob);
      this.#open({ number, database, name, uuid, options, documents, bytes, counted });
    }
  }

  #open(row: CollectionRow): Collection {
    const { database, name } = row;
    const touched = (collection: Collection) => this.#touched.add(collection);
    if (database === OPLOG.database && name === OPLOG.name) {
      this.#oplog = new Oplog(row, this.#connection, this.#transaction, touched, this.#source);
      this.#add(this.#oplog);
      return this.#oplog;
    }
    const Kind = collectionKind(row.options);
    const collection = new Kind(
      row,
      this.#connection,
      this.#transaction,
      touched,
      isUnreplicated(row) ? undefined : this.oplog,
    );
    this.#add(collection);
    return collection;
  }

  /** True if the database has a collection. */
  holds(database: string): boolean {
    return this.#databases.has(database);
  }

  /** Returns the names of all databases, sorted. */
  databases(): string[] {
    return [...this.#databases.keys()].sort();
  }

  /** Returns the collections of a database, sorted by name. */
  collections(database: string): Collection[] {
    const found = [...(this.#databases.get(database)?.values() ?? [])];
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(database: string, name: string): Collection | undefined {
    const found = this.#databases.get(database);
    if (found === undefined) return undefined;
    return found.get(name) ?? this.#buckets(name, found);
  }

  #buckets(name: string, among: ReadonlyMap<string, Collection>): Collection | undefined {
    const parts = { connection: this.#connection, transaction: this.#transaction };
    return bucketsNamed(name, (series) => among.get(series), parts);
  }

  create(database: string, name: string, uuid: Uint8Array, options: RawDocument): Collection {
    requireRoomForTable(this.#connection);
    const number = this.#insertRow(database, name, uuid, options);
    this.#connection.exec(`CREATE TABLE ${tableName(number)} (
      rid INTEGER PRIMARY KEY, id_key BLOB NOT NULL UNIQUE, checksum INTEGER, doc BLOB NOT NULL) STRICT`);
    const collection = this.#open({ number, database, name, uuid, options, documents: 0, bytes: 0 });
    this.#transaction.undoing(() => this.#remove(collection));
    collection.createUniqueId();
    if (!isUnreplicated(collection)) this.oplog.collectionCreated(collection);
    return collection;
  }

  #insertRow(database: string, name: string, uuid: Uint8Array, options: RawDocument): number {
    return this.#connection.run(
      'INSERT INTO collections (db, name, uuid, options) VALUES (?, ?, ?, ?)',
      database,
      name,
      uuid,
      options.toBytes(),
    ).rid;
  }

  /**
   * Drops a collection. `replaced` is true if another collection is then renamed to its name. In this case, the oplog
   * entry of the rename includes the drop.
   */
  drop(collection: Collection, replaced = false): void {
    refuseBuckets(collection);
    if (collection === this.oplog) {
      throw new ServerError('IllegalOperation', "can't drop live oplog while replicating");
    }
    const { running } = this.#connection;
    // SQLite searches the whole schema for each table that it drops: 10 ms in a file of 9,000 tables.
    for (const index of collection.keptIndexes) {
      running.checkNow();
      collection.dropIndex(index);
    }
    running.checkNow();
    dropTable(this.#connection, tableName(collection.number), isLarge(collection));
    this.#connection.run('DELETE FROM collections WHERE number = ?', collection.number);
    this.#remove(collection);
    collection.dropped = true;
    this.#transaction.undoing(() => {
      collection.dropped = false;
      this.#add(collection);
    });
    if (!replaced && !isUnreplicated(collection)) this.oplog.collectionDropped(collection);
  }

  /**
   * Renames a collection within its database and returns it under the new name. Record streams over the collection with
   * the old name end as if it had been dropped. `replaced` is the UUID of the collection that was dropped for the
   * rename.
   */
  rename(collection: Collection, name: string, replaced: Uint8Array | undefined): Collection {
    refuseBuckets(collection);
    const { number, database, uuid, options, documents, bytes } = collection;
    this.#connection.run('UPDATE collections SET name = ? WHERE number = ?', name, number);
    this.#remove(collection);
    collection.dropped = true;
    const renamed = this.#open({ number, database, name, uuid, options, documents, bytes });
    this.#transaction.undoing(() => {
      this.#remove(renamed);
      collection.dropped = false;
      this.#add(collection);
    });
    if (!isUnreplicated(collection)) this.oplog.collectionRenamed(collection, renamed, replaced);
    return renamed;
  }

  /** Changes the options of a collection. `change` is the requested change, which the oplog records. */
  modify(collection: Collection, options: RawDocument, change: RawDocument): void {
    refuseBuckets(collection);
    const before = collection.options;
    const { number } = collection;
    this.#connection.run('UPDATE collections SET options = ? WHERE number = ?', options.toBytes(), number);
    collection.options = options;
    this.#transaction.undoing(() => {
      collection.options = before;
    });
    if (!isUnreplicated(collection)) this.oplog.collectionModified(collection, change, before);
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

  /** Runs in each commit. Trims the oplog to its size, and stores the counts of collections that have changed. */
  finish(): void {
    this.#oplog?.beforeCommit();
    for (const { counts, number } of this.#touched) {
      const { documents, bytes, counted = null } = counts;
      this.#connection.run(
        'UPDATE collections SET documents = ?, bytes = ?, counted = ? WHERE number = ?',
        documents,
        bytes,
        counted,
        number,
      );
    }
  }

  /** Forgets which collections have changed. Runs after a commit or a rollback. */
  clearTouched(): void {
    this.#touched.clear();
  }
}

/** True for collections that are not replicated: those of `local`, and profiles, which each member writes itself. */
export function isUnreplicated({ database, name }: Pick<CollectionRow, 'database' | 'name'>): boolean {
  return database === OPLOG.database || name === 'system.profile';
}
