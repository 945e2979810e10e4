import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { bucketsNamed } from '../buckets/bucket-collection.ts';
import { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import type { Snapshot } from '../file/snapshots.ts';
import { Transaction } from '../file/transaction.ts';
import { type HeldKeys, namespaceName, writeConflict } from './held-keys.ts';
import { TransactionCollection } from './transaction-collection.ts';
import type { MemoryShare } from './transaction-memory.ts';
import { TransactionWrites } from './transaction-writes.ts';

/** The data of a cluster as a transaction sees it. Writes stay in memory until `commit`. */
export class TransactionStore extends ClusterStore {
  readonly writes: TransactionWrites;
  readonly #main: ClusterStore;
  readonly #snapshot: Snapshot;
  readonly #transaction: Transaction;
  /** The collections looked up so far; `undefined` for names without a collection. */
  readonly #known = new Map<string, Collection | undefined>();
  #made = 0;

  constructor(main: ClusterStore, snapshot: Snapshot, held: HeldKeys, memory?: MemoryShare) {
    const { connection } = snapshot;
    const transaction = new Transaction(connection);
    super({ ...main.parts, connection, transaction });
    this.#main = main;
    this.#snapshot = snapshot;
    this.#transaction = transaction;
    this.writes = new TransactionWrites(held, memory);
  }

  override collection(database: string, name: string): Collection | undefined {
    const namespace = namespaceName(database, name);
    if (!this.#known.has(namespace)) this.#known.set(namespace, this.#find(database, name));
    return this.#known.get(namespace);
  }

  #find(database: string, name: string): Collection | undefined {
    const { connection } = this.#snapshot;
    const row = connection.get<[number, Uint8Array, Uint8Array, number, number]>(
      'SELECT number, uuid, options, documents, bytes FROM collections WHERE db = ? AND name = ?',
      database,
      name,
    );
    if (row === undefined) {
      const parts = { connection, transaction: this.#transaction };
      return bucketsNamed(name, (series) => this.collection(database, series), parts);
    }
    const [number, uuid, bytesOfOptions, documents, bytes] = row;
    const shared = () => {
      const found = this.#main.collection(database, name);
      return found?.number === number ? found : undefined;
    };
    const read = RawDocument.of(bytesOfOptions);
    const present = shared()?.options;
    // If the options are unchanged, use the document object of the main store, because caches of compiled validators
    // recognize this object.
    const options = present?.equals(read) ? present : read;
    return new TransactionCollection(
      { number, database, name, uuid, options, documents, bytes },
      { connection, transaction: this.#transaction },
      this.writes,
      shared,
    );
  }

  override databases(): string[] {
    const rows = this.#snapshot.connection.all<[string]>('SELECT DISTINCT db FROM collections ORDER BY db');
    return rows.map(([database]) => database);
  }

  override collections(database: string): Collection[] {
    const rows = this.#snapshot.connection.all<[string]>(
      'SELECT name FROM collections WHERE db = ?',
      database,
    );
    const made = [...this.#known.values()].filter((one) => one !== undefined && one.database === database);
    const names = new Set([...rows.map(([name]) => name), ...made.map((one) => one?.name ?? '')]);
    return [...names].sort().flatMap((name) => this.collection(database, name) ?? []);
  }

  override create(database: string, name: string, options: RawDocument, uuid = this.newUuid()): Collection {
    if (this.#main.collection(database, name) !== undefined) throw writeConflict();
    const namespace = namespaceName(database, name);
    this.writes.hold(namespace);
    const kept = options.compact();
    const { connection } = this.#snapshot;
    const made = new TransactionCollection(
      { number: -++this.#made, database, name, uuid, options: kept, documents: 0, bytes: 0 },
      { connection, transaction: this.#transaction },
      this.writes,
    );
    this.writes.addCatalogChange((store) => {
      if (store.collection(database, name) !== undefined) throw writeConflict();
      store.create(database, name, kept, uuid);
    });
    this.#known.set(namespace, made);
    return made;
  }

  override noteCommand(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    this.writes.add(collection, (shared) => this.#main.noteCommand(shared, o, o2));
  }

  /** Throws: in a transaction, the only allowed change of the catalog is to create collections. */
  override drop(): never {
    throw notInTransactions();
  }

  override rename(): never {
    throw notInTransactions();
  }

  override modify(): never {
    throw notInTransactions();
  }

  override databaseDropped(): never {
    throw notInTransactions();
  }

  /**
   * Must run inside `write` of the main store. Applies the writes. `session` identifies the transaction in the oplog.
   */
  commit(session: { lsid: RawDocument; txnNumber: bigint }): void {
    this.writes.release();
    this.#main.oplog.gather(session, () => this.writes.apply(this.#main));
  }

  /** Releases the locks and the snapshot. Nothing can be read afterwards. */
  override close(): void {
    this.writes.discard();
    this.#known.clear();
    this.#snapshot.release();
  }
}

function notInTransactions(): ServerError {
  return new ServerError(
    'OperationNotSupportedInTransaction',
    'The catalog cannot be changed in a multi-document transaction.',
  );
}
