import type { Dice } from '../random.ts';

/** Values from earlier responses, with which requests refer to existing resources. */
export class Pools {
  readonly #texts = new Map<string, string[]>();
  readonly #numbers = new Map<string, number[]>();
  #made = 0;

  constructor(known: Readonly<Record<string, readonly (string | number)[]>>) {
    for (const [name, values] of Object.entries(known)) for (const value of values) this.add(name, value);
  }

  /** Returns a text that has not been used yet. */
  fresh(prefix: string): string {
    return `${prefix}${(++this.#made).toString(36)}`;
  }

  text(name: string, dice: Dice): string | undefined {
    return any(this.#texts.get(name), dice);
  }

  number(name: string, dice: Dice): number | undefined {
    return any(this.#numbers.get(name), dice);
  }

  add(name: string, value: string | number): void {
    if (typeof value === 'string') remember(this.#texts, name, value);
    else remember(this.#numbers, name, value);
  }

  /** Adds all texts and numbers of a document, by the name of their field. */
  learn(document: unknown, name = ''): void {
    if (typeof document === 'string' || typeof document === 'number') this.add(name, document);
    else if (Array.isArray(document)) for (const item of document) this.learn(item, name);
    else if (typeof document === 'object' && document !== null) {
      for (const [key, value] of Object.entries(document)) if (key !== 'links') this.learn(value, key);
    }
  }
}

/** How many values to keep per name. Most resources with older values have been deleted. */
const REMEMBERED = 12;

function remember<T>(pools: Map<string, T[]>, name: string, value: T): void {
  const pool = pools.get(name) ?? [];
  if (pool.includes(value)) return;
  pool.push(value);
  if (pool.length > REMEMBERED) pool.shift();
  pools.set(name, pool);
}

function any<T>(pool: readonly T[] | undefined, dice: Dice): T | undefined {
  return pool?.[dice.below(pool.length)];
}
