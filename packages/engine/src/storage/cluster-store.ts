import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '@portolan/foundation/random';
import type { RawDocument } from '../bson/raw.ts';
import { Catalog, isUnreplicated } from './catalog.ts';
import type { Collection } from './collection/collection.ts';
import type { Connection } from './file/connection.ts';
import { type OpenOptions, openFile } from './file/format.ts';
import { dropLeftovers, leftovers } from './file/leftovers.ts';
import { Snapshots } from './file/snapshots.ts';
import { StorageError } from './file/storage-error.ts';
import { emptyTemporary, TemporaryFile } from './file/temporary-file.ts';
import { TemporarySpace } from './file/temporary-space.ts';
import { Transaction } from './file/transaction.ts';
import { WriteAheadLog } from './file/write-ahead-log.ts';
import { havingIndexesWith } from './indexes/index-table.ts';
import type { RunningStatement } from './model/running-statement.ts';
import type { Oplog } from './oplog/oplog.ts';
import type { OplogSource } from './oplog/time.ts';
import { RetryTable } from './retry-table.ts';
import { SearchIndexTable } from './search-index-table.ts';

export interface StoreParts {
  readonly connection: Connection;
  readonly transaction: Transaction;
  readonly catalog: Catalog;
  readonly random: Random;
}

/** Length of the key of a temporary file. Each temporary file of an encrypted cluster has a key of its own. */
const KEY_BYTES = 32;

/** Number of pages that one step returns to the file system: 8 MiB, which takes about 20 ms. */
const PAGES_PER_STEP = 1_000;

/** SQLite's limit on the number of pages of a file. */
const MAX_PAGES = 4_294_967_294;

/** The data of one cluster, in one file with one writer. */
export class ClusterStore {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #catalog: Catalog;
  readonly #random: Random;
  readonly #temporary = new TemporarySpace(() => this.disk);
  /** The write-ahead log. Undefined if commits checkpoint the file. */
  #log: WriteAheadLog | undefined;
  /** True if a transaction has left tables over that are not dropped yet. */
  #hasLeftovers = false;
  /** The results of retryable writes. */
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
    transaction.onDivided = () => {
      catalog.clearTouched();
      this.#log?.committed();
    };
    transaction.mayDivide = (bytes) => {
      if (!this.mayDivide(bytes)) return false;
      this.onDividing();
      this.#beforePart?.();
      return true;
    };
    this.searchIndexes = new SearchIndexTable(connection);
    if (!this.#catalog.hasOplog) this.write(() => this.#catalog.createOplog(this.newUuid()));
  }

  /**
   * Opens the cluster in `dir`, or creates it. `running` is the statement that reads the file. Throws `StorageError` if
   * the file cannot be used.
   */
  static open(dir: string, random: Random, source: OplogSource, options?: OpenOptions): ClusterStore {
    const connection = openFile(dir, options);
    emptyTemporary(dir);
    try {
      const transaction = new Transaction(connection);
      const catalog = new Catalog(connection, transaction, source);
      const store = new ClusterStore({ connection, transaction, catalog, random });
      if (options?.checkpoint !== undefined) store.#checkpointWith(options.checkpoint);
      store.#renewIndexes();
      return store;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #checkpointWith({ run, limits }: NonNullable<OpenOptions['checkpoint']>): void {
    this.#log = WriteAheadLog.of(this.#connection, run, limits);
    if (this.#log === undefined) return;
    this.#connection.onLeftover = () => {
      this.#hasLeftovers = true;
    };
    this.#log.onRoom = () => this.onRoom();
    this.#log.onHeld = () => {
      for (const end of this.endsSnapshots) end();
    };
  }

  /** True if writes must wait until another thread has checkpointed the write-ahead log, or dropped tables. */
  get mustWait(): boolean {
    return this.#log?.isFull ?? false;
  }

  /** Lets waiting writes run, because the file is about to close. */
  waitNoMore(): void {
    this.#log?.close();
  }

  #renewIndexes(): void {
    const maybe = new Set(['collation', '$**'].flatMap((name) => [...this.havingIndexesWith(name)]));
    const outdated = this.databases()
      .flatMap((database) => this.collections(database))
      .filter(
        (one) =>
          one.lacksUniqueId || (maybe.has(one.number) && one.keptIndexes.some(({ outdated }) => outdated)),
      );
    for (const collection of outdated) {
      try {
        this.writeUnlogged(() => collection.renewIndexes());
      } catch (error) {
        // Continue after other errors, such as a full disk. The outdated index remains hidden, and the next opening of
        // the file tries again.
        if (error instanceof StorageError && error.reason === 'damaged') throw error;
      }
    }
  }

  /** Returns the numbers of the collections that may have an index with this option, or with such a field. */
  havingIndexesWith(name: string): ReadonlySet<number> {
    return havingIndexesWith(this.#connection, name);
  }

  /** The statement that currently reads the data. */
  get running(): RunningStatement {
    return this.#connection.running;
  }

  /** Creates a file for the data of an operation that does not fit into memory. The caller closes the file. */
  temporaryFile(): TemporaryFile {
    const { file, key } = this.#connection;
    return new TemporaryFile(dirname(file), key && this.#random.bytes(KEY_BYTES), this.#temporary);
  }

  /** Total and used bytes of the file system that contains the file. */
  get disk(): { readonly total: number; readonly used: number } {
    const { blocks, bfree, bsize } = statfsSync(dirname(this.#connection.file));
    return { total: blocks * bsize, used: (blocks - bfree) * bsize };
  }

  /** Returns false if a write that has written this number of bytes must not be divided yet. */
  mayDivide = (_bytes: number): boolean => true;
  /** Called before a part of a write is committed. May throw, to prevent it. */
  onDividing = (): void => {};
  #beforePart: (() => void) | undefined;
  /** Called when writes no longer have to wait. */
  onRoom = (): void => {};
  /**
   * The functions to call when snapshots must end, because they prevent a checkpoint of the write-ahead log. All
   * snapshots must end, not only the oldest, because SQLite restarts the log only if no connection reads it.
   */
  readonly endsSnapshots: (() => void)[] = [];
  /** Called when a collection is dropped, within the transaction. */
  onDropped: (collection: Collection) => void = () => {};
  /** Called when a collection is created. `first` is true for the first collection of its database. */
  onMade: (collection: Collection, first: boolean) => void = () => {};

  /** Runs `work` in a write transaction, which is durable when the method returns. */
  write<T>(work: () => T): T {
    try {
      return this.#transaction.run(work, () => this.#catalog.finish());
    } finally {
      this.#catalog.clearTouched();
      if (this.#hasLeftovers) this.#log?.dropLeftovers();
      else this.#log?.committed();
      this.#hasLeftovers = false;
    }
  }

  /** Drops the tables that were left over when the file was last open. */
  dropLeftovers(): void {
    if (leftovers(this.#connection).length === 0) return;
    if (this.#log === undefined) dropLeftovers(this.#connection);
    else this.#log.dropLeftovers();
  }

  /**
   * Must run inside `write`, between two changes that need not be atomic. If the changes so far are large, commits them.
   */
  commitPart(): void {
    this.#transaction.commitPart();
  }

  /** Calls `beforePart` within each part of a write that is committed before `work` ends. */
  inParts<T>(beforePart: () => void, work: () => T): T {
    const before = this.#beforePart;
    this.#beforePart = beforePart;
    try {
      return work();
    } finally {
      this.#beforePart = before;
    }
  }

  /** Like `write`, but without entries in the oplog. */
  writeUnlogged<T>(work: () => T): T {
    return this.write(() => this.oplog.unlogged(work));
  }

  /**
   * Must run inside `write`. Registers a function that reverts a change in memory if the savepoint or transaction is
   * rolled back.
   */
  undoing(undo: () => void): void {
    this.#transaction.undoing(undo);
  }

  /** The parts from which a transaction creates its own store for the same data. */
  get parts(): StoreParts {
    return {
      connection: this.#connection,
      transaction: this.#transaction,
      catalog: this.#catalog,
      random: this.#random,
    };
  }

  /** Must run inside `write`. Runs a part of the transaction that can be rolled back separately. */
  savepoint<T>(work: () => T): T {
    return this.#transaction.savepoint(work);
  }

  /**
   * Deletes results of retryable writes that were last used before `time`, in machine time (see `RetryTable.forget`).
   */
  forgetRetries(time: number, after: string): ReturnType<RetryTable['forget']> {
    return this.#transaction.run(
      () => this.retries.forget(time, after),
      () => {},
    );
  }

  /** Must run inside `write`. Records a command on a collection in the oplog if the collection is replicated. */
  noteCommand(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    if (!isUnreplicated(collection)) this.oplog.command(collection, o, o2);
  }

  get oplog(): Oplog {
    return this.#catalog.oplog;
  }

  /** Returns the names of all databases, sorted. */
  databases(): string[] {
    return this.#catalog.databases();
  }

  /** Returns the collections of a database, sorted by name. */
  collections(database: string): Collection[] {
    return this.#catalog.collections(database);
  }

  collection(database: string, name: string): Collection | undefined {
    return this.#catalog.find(database, name);
  }

  /** Must run inside `write`. Creates a collection. The name must not be in use. */
  create(database: string, name: string, options: RawDocument, uuid = this.newUuid()): Collection {
    const first = !this.#catalog.holds(database);
    const made = this.#catalog.create(database, name, uuid, options);
    this.onMade(made, first);
    return made;
  }

  newUuid(): Uint8Array {
    return Buffer.from(this.#random.uuid().replaceAll('-', ''), 'hex');
  }

  /** Must run inside `write`. Drops a collection. Record streams over it then throw `CollectionDropped`. */
  drop(collection: Collection): void {
    this.#catalog.drop(collection);
    this.searchIndexes.forget(collection.uuid);
    this.onDropped(collection);
  }

  /**
   * Must run inside `write`. Renames a collection, and returns it under its new name. Record streams over the
   * collection with the old name then throw `CollectionDropped`. Drops `replaced`, the collection that had the new
   * name.
   */
  rename(collection: Collection, name: string, replaced?: Collection): Collection {
    if (replaced !== undefined) {
      this.#catalog.drop(replaced, true);
      this.searchIndexes.forget(replaced.uuid);
      this.onDropped(replaced);
    }
    return this.#catalog.rename(collection, name, replaced?.uuid);
  }

  /**
   * Must run inside `write`. Changes the options of a collection. `change` is the requested change, which the oplog
   * records.
   */
  modify(collection: Collection, options: RawDocument, change: RawDocument): void {
    this.#catalog.modify(collection, options, change);
  }

  /** Records the drop of a database. Must run inside `write`, after the last collection of the database was dropped. */
  databaseDropped(database: string): void {
    this.#catalog.oplog.databaseDropped(database);
  }

  /** Returns some free pages of the file to the file system. Returns false if no free page is left. */
  giveBack(): boolean {
    if (this.#freePages === 0 || this.mustWait) return false;
    this.#connection.exec(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`);
    this.#log?.committed();
    if (this.#freePages > 0) return true;
    // The file shrinks only when its WAL is checkpointed. A passive checkpoint does not wait for readers.
    if (this.#log !== undefined) this.#log.finish();
    else this.#connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return false;
  }

  get #freePages(): number {
    return this.#connection.get<[number]>('PRAGMA freelist_count')?.[0] ?? 0;
  }

  /**
   * Limits the size of the file, and the size of all temporary files. Writes beyond the limit fail with `full`; existing
   * data stays even if it exceeds the limit.
   */
  limit(bytes: number): void {
    this.#temporary.most = bytes;
    const pageBytes = this.#connection.get<[number]>('PRAGMA page_size')?.[0] ?? 1;
    const pages = Math.min(Math.max(1, Math.floor(bytes / pageBytes)), MAX_PAGES);
    this.#connection.exec(`PRAGMA max_page_count = ${pages}`);
  }

  /** Releases the page cache. */
  shrink(): void {
    this.#connection.exec('PRAGMA shrink_memory');
    this.snapshots.closeIdle();
    this.oplog.recent.clear();
  }

  close(): void {
    this.#log?.close();
    this.snapshots.close();
    this.#connection.close();
  }

  /**
   * Like `close`, but if the log is long, another thread checkpoints it first. In this case, returns a promise that
   * resolves when the file is closed.
   */
  closeAfterCheckpoint(): Promise<void> | undefined {
    this.snapshots.close();
    const drained = this.#log?.drain();
    if (drained === undefined) this.close();
    return drained?.then(() => this.close());
  }
}
