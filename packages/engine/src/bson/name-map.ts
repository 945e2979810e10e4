import { readText } from './bytes.ts';
import { encodeName } from './raw.ts';
import type { Element } from './value.ts';

/** Maximum number of names in a map that compares names as bytes. A lookup in such a map decodes no name. */
const FEW = 8;

/** A map from field names to values. Lookups take the bytes of a name. */
export class NameMap<T> {
  readonly #few: ReadonlyArray<{ readonly name: Uint8Array; readonly value: T }> | undefined;
  readonly #many: ReadonlyMap<string, T>;

  constructor(entries: ReadonlyMap<string, T>) {
    this.#many = entries;
    if (entries.size > FEW) return;
    this.#few = [...entries].map(([name, value]) => ({ name: encodeName(name), value }));
  }

  get(element: Element): T | undefined {
    const { bytes, nameStart, nameEnd } = element;
    if (this.#few === undefined) return this.#many.get(readText(bytes, nameStart, nameEnd));
    const length = nameEnd - nameStart;
    for (const { name, value } of this.#few) {
      if (name.length === length && begins(bytes, nameStart, name)) return value;
    }
    return undefined;
  }
}

function begins(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}
