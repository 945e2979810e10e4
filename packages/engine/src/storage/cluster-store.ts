import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '@portolan/foundation/random';
import type { RawDocument } from '../bson/raw.ts';
import { Catalog, isUnreplicated } from './catalog.ts';
import type { Collection } from './collection/collection.ts';
import type { Connection } from './file/connection.ts';
import { type OpenOptions, openFile } from './file/format.ts';
import { Snapshots } from './file/snapshots.ts';
import { emptyTemporary, TemporaryFile } from './file/temporary-file.ts';
import { Transaction } from './file/transaction.ts';
import type { RunningStatement } from './model/running-statement.ts';
import type { OplogSource } from './oplog/log.ts';
import type { Oplog } from './oplog/oplog.ts';
import { RetryTable } from './retry-table.ts';
import { SearchIndexTable } from './search-index-table.ts';

export interface StoreParts {
  readonly connection: Connection;
  readonly transaction: Transaction;
  readonly catalog: Catalog;
  readonly random: Random;
}

/** Of a temporary file of an encrypted cluster; each has its own. */
const KEY_BYTES = 32;

/** Pages in one step: 8 MiB, some 20 ms. */
const GIVEN_BACK = 1_000;

/** SQLite's own limit. */
const MOST_PAGES = 4_294_967_294;

/** The data of one cluster: one file, one writer. */
export class ClusterStore {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #catalog: Catalog;
  readonly #random: Random;
  /** What became of statements that may be sent again. */
  readonly retries: RetryTable;
  readonly snapshots: Snapshots;
  readonly searchIndexes: SearchIndexTable;

  protected constructor({ connection, transaction, catalog, random }: StoreParts) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#catalog = catalog;
    this.#random = random;
    this.retries = new RetryTable(connection);
    this.snapshots = new Snapshots(connection);
    this.searchIndexes = new SearchIndexTable(connection);
    if (!this.#catalog.hasOplog) this.write(() => this.#catalog.createOplog(this.newUuid()));
  }

  /**
   * Opens the cluster in `dir`, or makes it; `running` stands for the statements that read it. Throws `StorageError`
   * when its file cannot be used.
   */
  static open(dir: string, random: Random, source: OplogSource, options?: OpenOptions): ClusterStore {
    const connection = openFile(dir, options);
    emptyTemporary(dir);
    try {
      const transaction = new Transaction(connection);
      const catalog = new Catalog(connection, transaction, source);
      return new ClusterStore({ connection, transaction, catalog, random });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** The statement that reads it now. */
  get running(): RunningStatement {
    return this.#connection.running;
  }

  /** For what an operation cannot hold in memory. Whoever asks for it closes it. */
  temporaryFile(): TemporaryFile {
    const { file, key } = this.#connection;
    return new TemporaryFile(dirname(file), key && this.#random.bytes(KEY_BYTES));
  }

  /** Bytes of the file system that holds its file. */
  get disk(): { readonly total: number; readonly used: number } {
    const { blocks, bfree, bsize } = statfsSync(dirname(this.#connection.file));
    return { total: blocks * bsize, used: (blocks - bfree) * bsize };
  }

  /** Called when a collection is dropped, in the transaction that drops it. */
  onDropped: (collection: Collection) => void = () => {};
  /** `first`: its database came with it. */
  onMade: (collection: Collection, first: boolean) => void = () => {};

  /** Runs `work` in one write transaction; when this returns, what it wrote is on the disk. */
  write<T>(work: () => T): T {
    try {
      return this.#transaction.run(work, () => this.#catalog.finish());
    } finally {
      this.#catalog.forgetTouched();
    }
  }

  /** Inside `write`: how to undo a change in memory, should the savepoint or transaction fail. */
  undoing(undo: () => void): void {
    this.#transaction.undoing(undo);
  }

  /** What another view of the same data is made of. */
  get parts(): StoreParts {
    const [connection, transaction, catalog, random] = [
      this.#connection,
      this.#transaction,
      this.#catalog,
      this.#random,
    ];
    return { connection, transaction, catalog, random };
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

  /** Inside `write`: tells the oplog that a collection was changed as a whole, where it is one that is replicated. */
  noteCommand(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    if (!isUnreplicated(collection)) this.oplog.command(collection, o, o2);
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
  create(database: string, name: string, options: RawDocument, uuid = this.newUuid()): Collection {
    const first = !this.#catalog.holds(database);
    const made = this.#catalog.create(database, name, uuid, options);
    this.onMade(made, first);
    return made;
  }

  newUuid(): Uint8Array {
    return Buffer.from(this.#random.uuid().replaceAll('-', ''), 'hex');
  }

  /** Inside `write`. Streams over the collection end with `CollectionDropped`. */
  drop(collection: Collection): void {
    this.#catalog.drop(collection);
    this.searchIndexes.forget(collection.uuid);
    this.onDropped(collection);
  }

  /**
   * Inside `write`. Answers the collection under its new name; streams over the former one end. `replaced` is the one
   * that has the name so far: it is dropped.
   */
  rename(collection: Collection, name: string, replaced?: Collection): Collection {
    if (replaced !== undefined) {
      this.#catalog.drop(replaced, true);
      this.searchIndexes.forget(replaced.uuid);
      this.onDropped(replaced);
    }
    return this.#catalog.rename(collection, name, replaced?.uuid);
  }

  /** Inside `write`: gives a collection other options. `change` is what the oplog says was asked for. */
  modify(collection: Collection, options: RawDocument, change: RawDocument): void {
    this.#catalog.modify(collection, options, change);
  }

  /** Inside `write`, when the last of a database's collections has gone. */
  databaseDropped(database: string): void {
    this.#catalog.oplog.databaseDropped(database);
  }

  /**
   * Gives pages that nothing uses any more back to the system, some of them: what drops and removals have left in
   * the file. False when there is nothing left to give.
   */
  giveBack(): boolean {
    if (this.#freePages === 0) return false;
    this.#connection.exec(`PRAGMA incremental_vacuum(${GIVEN_BACK})`);
    if (this.#freePages > 0) return true;
    // The file itself becomes shorter when its log is written into it; this waits for nobody who reads it.
    this.#connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return false;
  }

  get #freePages(): number {
    return this.#connection.get<[number]>('PRAGMA freelist_count')?.[0] ?? 0;
  }

  /** Writes fail with `full` rather than let the file grow beyond this; nothing that is there goes. */
  limit(bytes: number): void {
    const pageBytes = this.#connection.get<[number]>('PRAGMA page_size')?.[0] ?? 1;
    const pages = Math.min(Math.max(1, Math.floor(bytes / pageBytes)), MOST_PAGES);
    this.#connection.exec(`PRAGMA max_page_count = ${pages}`);
  }

  /** Gives cached pages back to the system. */
  shrink(): void {
    this.#connection.exec('PRAGMA shrink_memory');
    this.snapshots.closeIdle();
    this.oplog.recent.clear();
  }

  close(): void {
    this.snapshots.close();
    this.#connection.close();
  }
}
