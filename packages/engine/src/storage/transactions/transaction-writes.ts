import type { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import { type HeldKeys, writeConflict } from './held-keys.ts';

/** A collection by name; its UUID shows whether it is still the same. */
export interface Target {
  readonly database: string;
  readonly name: string;
  readonly uuid: Uint8Array;
}

/** The writes of a transaction, in order, and its locks. */
export class TransactionWrites {
  readonly #held: HeldKeys;
  readonly #changes: Array<(store: ClusterStore) => void> = [];

  constructor(held: HeldKeys) {
    this.#held = held;
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Returns false if the lock was already held; throws `WriteConflict` if another transaction holds it. */
  hold(name: string): boolean {
    return this.#held.hold(this, name);
  }

  add({ database, name, uuid }: Target, change: (collection: Collection) => void): void {
    this.#changes.push((store) => {
      const collection = store.collection(database, name);
      if (collection === undefined || Buffer.compare(collection.uuid, uuid) !== 0) throw writeConflict();
      change(collection);
    });
  }

  addCatalogChange(change: (store: ClusterStore) => void): void {
    this.#changes.push(change);
  }

  /** Must run inside `write` of the store. Applies the changes. */
  apply(store: ClusterStore): void {
    for (const change of this.#changes) change(store);
  }

  /** Releases the locks. */
  release(): void {
    this.#held.release(this);
  }
}
