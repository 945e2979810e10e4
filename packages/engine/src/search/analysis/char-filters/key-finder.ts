import { passes } from '../../../bson/turns.ts';

const ROOT = 0;
/** In the tables, no state and no key. */
const NONE = -1;

/**
 * Finds keys in a text in linear time. The Aho–Corasick algorithm finds the longest key that ends at a
 * position, but callers need the longest key that begins there. The algorithm therefore runs from right to
 * left. The states of the automaton are numbers, and its tables are typed arrays, because the keys of a definition
 * may need 250,000 states, which would take 100 ms to create as objects.
 */
export class KeyFinder {
  readonly #keys: readonly string[];
  #states = 1;
  /** The transitions in a hash table with open addressing: state, character and next state. */
  readonly #from: Int32Array;
  readonly #codes: Uint16Array;
  readonly #to: Int32Array;
  /** For each state, its first child, the next child of its parent, and the character that leads to it. */
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #code: Uint16Array;
  /** For each state, the failure link of the algorithm: the state from which the search continues. */
  readonly #fallback: Int32Array;
  /** For each state, the index of the longest key that the automaton has matched. */
  readonly #found: Int32Array;

  constructor(keys: Iterable<string>) {
    this.#keys = [...keys];
    const most = this.#keys.reduce((sum, key) => sum + key.length, 1);
    const slots = 2 ** Math.ceil(Math.log2(2 * most));
    this.#from = new Int32Array(slots).fill(NONE);
    this.#codes = new Uint16Array(slots);
    this.#to = new Int32Array(slots);
    this.#child = new Int32Array(most).fill(NONE);
    this.#sibling = new Int32Array(most).fill(NONE);
    this.#code = new Uint16Array(most);
    this.#fallback = new Int32Array(most);
    this.#found = new Int32Array(most).fill(NONE);
    for (const [index, key] of this.#keys.entries()) this.#add(key, index);
    this.#link();
  }

  /** Returns the place of a transition in the hash table, or the place where it can be added. */
  #slot(state: number, code: number): number {
    const last = this.#from.length - 1;
    const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & last;
    while (this.#from[slot] !== NONE && (this.#from[slot] !== state || this.#codes[slot] !== code))
      slot = (slot + 1) & last;
    return slot;
  }

  #add(key: string, index: number): void {
    passes(key.length);
    let state = ROOT;
    for (let at = key.length - 1; at >= 0; at--) {
      const code = key.charCodeAt(at);
      const slot = this.#slot(state, code);
      if (this.#from[slot] === NONE) this.#addState(slot, state, code);
      state = this.#to[slot] as number;
    }
    this.#found[state] = index;
  }

  #addState(slot: number, parent: number, code: number): void {
    const state = this.#states++;
    this.#from[slot] = parent;
    this.#codes[slot] = code;
    this.#to[slot] = state;
    this.#code[state] = code;
    this.#sibling[state] = this.#child[parent] as number;
    this.#child[parent] = state;
  }

  #link(): void {
    const waiting = new Int32Array(this.#states);
    let count = 1;
    for (let at = 0; at < count; at++) {
      const state = waiting[at] as number;
      passes(1);
      for (let next = this.#child[state] as number; next !== NONE; next = this.#sibling[next] as number) {
        const fallback =
          state === ROOT ? ROOT : this.#after(this.#fallback[state] as number, this.#code[next] as number);
        this.#fallback[next] = fallback;
        if (this.#found[next] === NONE) this.#found[next] = this.#found[fallback] as number;
        waiting[count++] = next;
      }
    }
  }

  #after(from: number, code: number): number {
    for (let state = from; ; state = this.#fallback[state] as number) {
      const slot = this.#slot(state, code);
      if (this.#from[slot] !== NONE) return this.#to[slot] as number;
      if (state === ROOT) return ROOT;
    }
  }

  /** Returns the longest key that begins at each position of a text. */
  keysIn(text: string): ReadonlyArray<string | undefined> {
    const found: Array<string | undefined> = new Array(text.length);
    let state = ROOT;
    for (let at = text.length - 1; at >= 0; at--) {
      state = this.#after(state, text.charCodeAt(at));
      found[at] = this.#keys[this.#found[state] as number];
    }
    return found;
  }
}
