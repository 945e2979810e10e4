import { SearchDefinitionError } from './error.ts';

type JsonObject = Readonly<Record<string, unknown>>;

function pathOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

let countSteps: (count: number) => void = () => {};

/**
 * Sets the function that counts the steps of reading a definition. The engine pauses its statements after a number of
 * steps (`bson/turns.ts`). By default, nothing is counted.
 */
export function countReading(count: (steps: number) => void): void {
  countSteps = count;
}

/** Counts one value that was read or checked. */
export function countOne(): void {
  countSteps(1);
}

/** Number of steps that reading an object takes, without its fields. */
const OBJECT = 32;

/** Reads the fields of an object in a definition, each once. `done` rejects fields that were not read. */
export class Reader {
  readonly path: string;
  readonly #object: JsonObject;
  readonly #read = new Set<string>();

  constructor(value: unknown, path: string) {
    countSteps(OBJECT);
    if (!isObject(value)) throw new SearchDefinitionError(path, 'must be a document');
    this.#object = value;
    this.path = path;
  }

  at(name: string): string {
    return pathOf(this.path, name);
  }

  /** Returns the value, which may have any type. */
  any(name: string): unknown {
    countOne();
    this.#read.add(name);
    return this.#object[name] ?? undefined;
  }

  #required<T>(name: string, value: T | undefined): T {
    if (value !== undefined) return value;
    throw new SearchDefinitionError(this.at(name), 'is required', 'syntax', 'missing');
  }

  requiredAny(name: string): unknown {
    return this.#required(name, this.any(name));
  }

  optionalText(name: string): string | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new SearchDefinitionError(this.at(name), 'must be a string');
    if (value === '') throw new SearchDefinitionError(this.at(name), 'cannot be empty');
    return value;
  }

  text(name: string): string {
    return this.#required(name, this.optionalText(name));
  }

  optionalOneOf<const T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    const reason = `must be one of [${values.join(', ')}]`;
    throw new SearchDefinitionError(this.at(name), reason, 'syntax', 'not one of');
  }

  oneOf<const T extends string>(name: string, values: readonly T[]): T {
    return this.#required(name, this.optionalOneOf(name, values));
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.any(name) ?? fallback;
    if (typeof value !== 'boolean') throw new SearchDefinitionError(this.at(name), 'must be a boolean');
    return value;
  }

  optionalWhole(name: string, bounds: Bounds = {}): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      throw new SearchDefinitionError(this.at(name), 'must be an integer');
    }
    const { min = -Infinity, max = Infinity } = bounds;
    if (value < min || value > max) {
      const reason = max === Infinity ? `must be at least ${min}` : `must be within bounds [${min}, ${max}]`;
      throw new SearchDefinitionError(this.at(name), reason);
    }
    return value;
  }

  whole(name: string, bounds: Bounds = {}): number {
    return this.#required(name, this.optionalWhole(name, bounds));
  }

  object(name: string): Reader {
    return new Reader(this.requiredAny(name), this.at(name));
  }

  optionalObject(name: string): Reader | undefined {
    const value = this.any(name);
    return value === undefined ? undefined : new Reader(value, this.at(name));
  }

  /** Applies `read` to each element of an array. Returns undefined if the field is absent. */
  optionalList<T>(name: string, read: (value: unknown, path: string) => T): readonly T[] | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw new SearchDefinitionError(this.at(name), 'must be an array');
    return value.map((one, index) => {
      countOne();
      return read(one, `${this.at(name)}[${index}]`);
    });
  }

  list<T>(name: string, read: (value: unknown, path: string) => T): readonly T[] {
    return this.#required(name, this.optionalList(name, read));
  }

  /** Applies `read` to each entry of an object whose keys the user chooses. */
  optionalEntries<T>(
    name: string,
    read: (value: unknown, path: string, key: string) => T,
  ): ReadonlyMap<string, T> {
    const reader = this.optionalObject(name);
    const entries = new Map<string, T>();
    for (const [key, own] of reader?.entries() ?? [])
      entries.set(key, read(own, pathOf(this.at(name), key), key));
    return entries;
  }

  *entries(): Generator<[string, unknown]> {
    for (const key of Object.keys(this.#object)) {
      countOne();
      yield [key, this.#object[key]];
    }
  }

  /** Throws for fields that were not read. Called after all fields have been read. */
  done(): void {
    const other = Object.keys(this.#object).find((name) => !this.#read.has(name));
    if (other !== undefined) throw new SearchDefinitionError(this.at(other), 'is not a known field');
  }
}

export function textElement(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new SearchDefinitionError(path, 'must be a string');
  return value;
}
