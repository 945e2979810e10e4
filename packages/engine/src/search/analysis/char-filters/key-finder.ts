interface State {
  readonly next: Map<number, State>;
  /**
   * The failure link of the Aho–Corasick algorithm: the state from which the search continues if no
   * transition matches.
   */
  fallback: State | undefined;
  /** The longest key that the automaton has matched in this state. */
  key: string | undefined;
}

const newState = (): State => ({ next: new Map(), fallback: undefined, key: undefined });

/**
 * Finds keys in a text in linear time. The Aho–Corasick algorithm finds the longest key that ends at a
 * position, but callers need the longest key that begins there. The algorithm therefore runs from right to
 * left.
 */
export class KeyFinder {
  readonly #root = newState();

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#add(key);
    this.#link();
  }

  #add(key: string): void {
    let state = this.#root;
    for (let at = key.length - 1; at >= 0; at--) {
      const code = key.charCodeAt(at);
      let next = state.next.get(code);
      if (next === undefined) {
        next = newState();
        state.next.set(code, next);
      }
      state = next;
    }
    state.key = key;
  }

  #link(): void {
    const waiting = [this.#root];
    for (const state of waiting) {
      for (const [code, next] of state.next) {
        next.fallback = state === this.#root ? this.#root : this.#after(state.fallback as State, code);
        next.key ??= next.fallback.key;
        waiting.push(next);
      }
    }
  }

  #after(state: State, code: number): State {
    let from: State | undefined = state;
    while (from !== undefined) {
      const next = from.next.get(code);
      if (next !== undefined) return next;
      from = from.fallback;
    }
    return this.#root;
  }

  /** Returns the longest key that begins at each position of a text. */
  keysIn(text: string): ReadonlyArray<string | undefined> {
    const found: Array<string | undefined> = new Array(text.length);
    let state = this.#root;
    for (let at = text.length - 1; at >= 0; at--) {
      state = this.#after(state, text.charCodeAt(at));
      found[at] = state.key;
    }
    return found;
  }
}
