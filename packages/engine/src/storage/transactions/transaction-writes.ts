import type { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import { type HeldKeys, writeConflict } from './held-keys.ts';
import type { MemoryShare } from './transaction-memory.ts';

/** Memory of a write besides its documents, in bytes: its function and map entries. */
const WRITE_BYTES = 512;
/** Memory of a lock besides its name, in bytes. */
const LOCK_BYTES = 128;

/** A collection by name. The UUID shows whether the collection with this name is still the same. */
export interface Target {
  readonly database: string;
  readonly name: string;
  readonly uuid: Uint8Array;
}

/** The writes of a transaction in order, and its locks. */
export class TransactionWrites {
  readonly #held: HeldKeys;
  readonly #memory: MemoryShare | undefined;
  readonly #changes: Array<(store: ClusterStore) => void> = [];
  #ended = false;

  /** Without `memory`, the transaction is read-only. */
  constructor(held: HeldKeys, memory?: MemoryShare) {
    this.#held = held;
    this.#memory = memory;
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /**
   * Takes a lock. Returns false if the transaction already holds it. Throws `WriteConflict` if another
   * transaction holds it, or if this transaction has ended.
   */
  hold(name: string): boolean {
    this.#checkOpen();
    if (!this.#held.hold(this, name)) return false;
    this.#memory?.add(name.length + LOCK_BYTES);
    return true;
  }

  /** Adds a change. `bytes` is the size of the documents that the change keeps in memory. */
  add({ database, name, uuid }: Target, change: (collection: Collection) => void, bytes = 0): void {
    this.#checkOpen();
    this.#memory?.add(bytes + WRITE_BYTES);
    this.#changes.push((store) => {
      const collection = store.collection(database, name);
      if (collection === undefined || Buffer.compare(collection.uuid, uuid) !== 0) throw writeConflict();
      change(collection);
    });
  }

  /**
   * Throws if the transaction has ended. An election can end it in the middle of a statement. If the statement then
   * took more locks or memory, nothing would release them.
   */
  #checkOpen(): void {
    if (this.#ended) throw writeConflict();
  }

  addCatalogChange(change: (store: ClusterStore) => void): void {
    this.#changes.push(change);
  }

  /** Must run inside `write` of the store. Applies all changes. */
  apply(store: ClusterStore): void {
    for (const change of this.#changes) change(store);
  }

  /** Releases the locks. */
  release(): void {
    this.#held.release(this);
  }

  /** Releases the locks and the memory. */
  discard(): void {
    this.#ended = true;
    this.release();
    this.#changes.length = 0;
    this.#memory?.release();
  }
}
