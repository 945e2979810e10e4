import type { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import { type HeldKeys, writeConflict } from './held-keys.ts';

/** A collection by name; its UUID tells whether it is still the same. */
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

  /** False if it was held already; throws `WriteConflict`. */
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

  /** Inside the `write` of the store: applies the changes. */
  apply(store: ClusterStore): void {
    for (const change of this.#changes) change(store);
  }

  /** Releases the locks. */
  release(): void {
    this.#held.release(this);
  }
}
