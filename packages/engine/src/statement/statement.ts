/**
 * Interruption points of a running statement. Statements run to completion on their thread, so long loops
 * call these; the caller may then interrupt the statement, by throwing, or run other statements in between. A
 * cursor outlives the statement that opened it, so one object serves all statements that use the cursor.
 */
export interface Statement {
  /** For every loop that may run long: over documents, entries, comparisons. May throw. */
  check(): void;
  /** For places where milliseconds may have passed since the last check. May throw. */
  checkNow(): void;
}

/** One of this many checks polls: reading a clock takes 40 ns, the work between two checks a few µs. */
const ONE_OF = 16;

export class WatchedStatement implements Statement {
  #look: (() => void) | undefined;
  #passed = 0;

  check(): void {
    if (this.#look !== undefined && ++this.#passed % ONE_OF === 0) this.#look();
  }

  checkNow(): void {
    this.#look?.();
  }

  /** Makes checks call `look`; returns the previous callback so that it can be restored. */
  watch(look: (() => void) | undefined): (() => void) | undefined {
    const before = this.#look;
    this.#look = look;
    return before;
  }
}

/** For work outside of statements: checks do nothing. */
export const unwatched: Statement = new WatchedStatement();
