import { ServerError } from '../../errors/server-error.ts';

/** The transaction that owns a lock. */
export type Holder = object;

/**
 * Exclusive locks, by name, on everything that open transactions have written. The transaction that writes first gets
 * the lock.
 */
export class HeldKeys {
  /** The holders of the locks. A holder that is not in `#names` has released its locks. */
  #holders = new Map<string, Holder>();
  readonly #names = new Map<Holder, string[]>();
  /** The names of released locks that are still in `#holders`. */
  #released: Array<{ readonly holder: Holder; readonly names: string[] }> = [];

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  isHeld(name: string): boolean {
    return this.#holderOf(name) !== undefined;
  }

  #holderOf(name: string): Holder | undefined {
    const holder = this.#holders.get(name);
    return holder !== undefined && this.#names.has(holder) ? holder : undefined;
  }

  /** Takes a lock. Returns false if the holder already has it. Throws `WriteConflict` if another holder has it. */
  hold(holder: Holder, name: string): boolean {
    const before = this.#holderOf(name);
    if (before === holder) return false;
    if (before !== undefined) throw writeConflict();
    this.#removeReleased();
    this.#holders.set(name, holder);
    const names = this.#names.get(holder);
    if (names === undefined) this.#names.set(holder, [name]);
    else names.push(name);
    return true;
  }

  /**
   * Releases all locks of a holder at once, because a transaction can have several hundred thousand. Later calls of
   * `hold` remove them from memory.
   */
  release(holder: Holder): void {
    const names = this.#names.get(holder);
    if (names === undefined) return;
    this.#names.delete(holder);
    this.#released.push({ holder, names });
    if (!this.isEmpty) return;
    this.#holders = new Map();
    this.#released = [];
  }

  /** Removes more locks than `hold` adds. */
  #removeReleased(): void {
    for (let left = 2; left > 0; left--) {
      const last = this.#released.at(-1);
      const name = last?.names.pop();
      if (last === undefined) return;
      if (name === undefined) this.#released.pop();
      else if (this.#holders.get(name) === last.holder) this.#holders.delete(name);
    }
  }

  /** True if any name with this prefix is locked. */
  holdsWithin(prefix: string): boolean {
    for (const [name, holder] of this.#holders)
      if (name.startsWith(prefix) && this.#names.has(holder)) return true;
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
