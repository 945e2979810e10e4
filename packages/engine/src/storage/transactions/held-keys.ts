import { ServerError } from '../../errors/server-error.ts';

/** The transaction that owns a lock. */
export type Holder = object;

/**
 * Exclusive locks, by name, on everything that open transactions have written. The transaction that writes first gets
 * the lock.
 */
export class HeldKeys {
  readonly #holders = new Map<string, Holder>();
  readonly #names = new Map<Holder, string[]>();

  get isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  isHeld(name: string): boolean {
    return this.#holders.has(name);
  }

  /** Takes a lock. Returns false if the holder already has it. Throws `WriteConflict` if another holder has it. */
  hold(holder: Holder, name: string): boolean {
    const before = this.#holders.get(name);
    if (before === holder) return false;
    if (before !== undefined) throw writeConflict();
    this.#holders.set(name, holder);
    const names = this.#names.get(holder);
    if (names === undefined) this.#names.set(holder, [name]);
    else names.push(name);
    return true;
  }

  release(holder: Holder): void {
    for (const name of this.#names.get(holder) ?? []) this.#holders.delete(name);
    this.#names.delete(holder);
  }

  /** True if any name with this prefix is locked. */
  holdsWithin(prefix: string): boolean {
    for (const name of this.#holders.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }
}

/** Returns the lock name of a document or index key. `collection` is the number of its collection. */
export function documentName(collection: number, key: Uint8Array): string {
  return `${collection}/${Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')}`;
}

export function collectionPrefix(collection: number): string {
  return `${collection}/`;
}

/** Returns the lock name of a collection that is being created. */
export function namespaceName(database: string, collection: string): string {
  return `${database}.${collection}`;
}

export function writeConflict(): ServerError {
  return new ServerError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or ' +
      'multi-document transaction.',
  );
}
