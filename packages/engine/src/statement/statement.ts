/**
 * What loops say now and then while a statement runs. Statements run to their end without giving the thread away, so
 * long ones tell that they are still at it; whoever runs them may then stop this one, by throwing, or run others before
 * it goes on. Cursors outlive the statement that opened them: one object stands for whichever statement runs.
 */
export interface Statement {
  /** Stands in every loop that may take long: over documents, entries, comparisons. May throw. */
  check(): void;
  /** Stands where milliseconds may have passed since the last check. May throw. */
  checkNow(): void;
}

/** Of so many checks one looks: a clock costs 40 ns, what lies between two of them a few µs. */
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

  /** From here on checks call `look`; answers what they called before, to be put back. */
  watch(look: (() => void) | undefined): (() => void) | undefined {
    const before = this.#look;
    this.#look = look;
    return before;
  }
}

/** For what is done outside of statements: nobody looks. */
export const unwatched: Statement = new WatchedStatement();
