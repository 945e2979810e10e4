import { ServerError } from '../errors/server-error.ts';

/**
 * Interruption points and the memory of a running statement. Statements run to completion on their thread, so long
 * loops call these; the caller may then interrupt the statement, by throwing, or run other statements in between. A
 * cursor outlives the statement that opened it, so one object serves all statements that use the cursor.
 */
export interface Statement {
  /** For every loop that may run long: over documents, entries, comparisons. May throw. */
  check(): void;
  /** For places where milliseconds may have passed since the last check. May throw. */
  checkNow(): void;
  /** Bytes of intermediate results in memory. The caller of `hold` restores it when they are no longer needed. */
  held: number;
  /** Adds to `held`. Throws `ExceededMemoryLimit` if the statement would hold more than its limit. */
  hold(bytes: number, operator: string): void;
  /** Like `hold`, for bytes that the statement keeps until its end. */
  keep(bytes: number, operator: string): void;
}

/** One of this many checks polls: reading a clock takes 40 ns, the work between two checks a few µs. */
const ONE_OF = 16;

/** The memory of a statement's intermediate results. */
const STATEMENT_BYTES = 100 << 20;

export class WatchedStatement implements Statement {
  #look: (() => void) | undefined;
  #passed = 0;
  held = 0;
  kept = 0;
  mostBytes = STATEMENT_BYTES;

  check(): void {
    if (this.#look !== undefined && ++this.#passed % ONE_OF === 0) this.#look();
  }

  checkNow(): void {
    this.#look?.();
  }

  hold(bytes: number, operator: string): void {
    this.#require(bytes, operator);
    this.held += bytes;
  }

  keep(bytes: number, operator: string): void {
    this.#require(bytes, operator);
    this.kept += bytes;
  }

  #require(bytes: number, operator: string): void {
    const used = this.held + this.kept + bytes;
    if (used > this.mostBytes) throw memoryExceeded(operator, used, this.mostBytes);
  }

  /** Makes checks call `look`; returns the previous callback so that it can be restored. */
  watch(look: (() => void) | undefined): (() => void) | undefined {
    const before = this.#look;
    this.#look = look;
    return before;
  }
}

function memoryExceeded(operator: string, used: number, most: number): ServerError {
  return new ServerError(
    'ExceededMemoryLimit',
    `${operator} used too much memory and cannot spill to disk. Used: ${used} bytes. Memory limit: ${most} bytes`,
  );
}

/** For work outside of statements, such as that of indexes: checks do nothing, and only single values are bounded. */
export const unwatched: Statement = {
  check() {},
  checkNow() {},
  get held() {
    return 0;
  },
  set held(_bytes) {},
  hold(bytes, operator) {
    if (bytes > STATEMENT_BYTES) throw memoryExceeded(operator, bytes, STATEMENT_BYTES);
  },
  keep() {},
};
