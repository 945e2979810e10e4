import { ServerError } from '../../errors/server-error.ts';

/** Whoever may hold keys: a transaction. */
export type Holder = object;

/** What open transactions have written, by name, so that nobody else writes the same: who comes first has it. */
export class HeldKeys {
  readonly #holders = new Map<string, Holder>();
  readonly #names = new Map<Holder, string[]>();

  get isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  isHeld(name: string): boolean {
    return this.#holders.has(name);
  }

  /** False when it was held by the same holder before; throws `WriteConflict` when another one has it. */
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

  /** Something whose name begins so is held. */
  holdsBelow(prefix: string): boolean {
    for (const name of this.#holders.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }
}

/** A document, or a key of an index, of a collection by its number. */
export function documentName(collection: number, key: Uint8Array): string {
  return `${collection}/${Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')}`;
}

export function collectionPrefix(collection: number): string {
  return `${collection}/`;
}

/** A collection that is being made. */
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
