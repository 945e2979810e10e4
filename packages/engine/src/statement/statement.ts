import { ServerError } from '../errors/server-error.ts';

/**
 * The interruption checks and the memory of a running statement. A statement runs to completion on its
 * thread, so long loops must call these methods. A check may interrupt the statement by throwing, or run
 * other statements before it returns. A cursor outlives the statement that opened it, so all statements that
 * use a cursor share one `Statement` object.
 */
export interface Statement {
  /** To be called in every loop that may run for long: over documents, entries or comparisons. May throw. */
  check(): void;
  /** To be called where milliseconds may have passed since the last check. May throw. */
  checkNow(): void;
  /**
   * Number of bytes of intermediate results in memory. A caller of `hold` sets `held` back to its earlier value when it
   * no longer needs the results.
   */
  held: number;
  /** Adds to `held`. Throws `ExceededMemoryLimit` beyond the limit of the statement. */
  hold(bytes: number, operator: string): void;
  /** Like `hold`, for bytes that stay in memory until the end of the statement. */
  keep(bytes: number, operator: string): void;
  /** Runs work, and then releases the bytes that it kept. To be called if the work ends before the statement. */
  releasing<T>(work: () => T): T;
  /** Runs work that may use this number of checks and bytes. Returns undefined if the work needs more. */
  within<T>(bounds: Bounds, work: () => T): T | undefined;
}

/** A statement, or another work that only has to be interruptible, such as a search. */
export type Interruptible = Pick<Statement, 'checkNow'>;

/**
 * Runs work, and then releases the bytes that it holds, even if it throws. Pass an `argument` instead of creating a
 * closure for each run: a closure would cost 25 ns.
 */
export function freeing<T>(statement: Statement, work: () => T): T;
export function freeing<T, A>(statement: Statement, work: (argument: A) => T, argument: A): T;
export function freeing<T>(statement: Statement, work: (argument?: unknown) => T, argument?: unknown): T {
  const { held } = statement;
  try {
    return work(argument);
  } finally {
    statement.held = held;
  }
}

/** The limits for a part of a statement. */
export interface Bounds {
  readonly checks: number;
  readonly bytes: number;
}

/** Thrown to end work that exceeds its bounds. */
class OutOfBounds extends Error {}

/**
 * Only one in this many checks reads the clock, because reading takes 40 ns. The work between two checks takes a few
 * µs.
 */
const ONE_OF = 16;

/** Memory limit for the intermediate results of a statement, in bytes. */
const STATEMENT_BYTES = 100 << 20;

export class WatchedStatement implements Statement {
  #look: (() => void) | undefined;
  #passed = 0;
  /** The value of `held + kept` at which `within` ends its work. Undefined outside of `within`. */
  #left: number | undefined;
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

  releasing<T>(work: () => T): T {
    const before = this.kept;
    try {
      return work();
    } finally {
      this.release(this.kept - before);
    }
  }

  protected release(bytes: number): void {
    this.kept -= bytes;
  }

  within<T>({ checks, bytes }: Bounds, work: () => T): T | undefined {
    let looks = Math.ceil(checks / ONE_OF);
    const [held, left] = [this.held, this.#left];
    const before = this.watch(() => {
      if (--looks < 0) throw new OutOfBounds();
      before?.();
    });
    this.#left = held + this.kept + bytes;
    try {
      return work();
    } catch (error) {
      if (error instanceof OutOfBounds) return undefined;
      throw error;
    } finally {
      this.watch(before);
      this.#left = left;
      this.held = held;
    }
  }

  /** Runs work of other statements, which the callback and the bounds of this statement do not concern. */
  aside<T>(work: () => T): T {
    const [look, left] = [this.watch(undefined), this.#left];
    this.#left = undefined;
    try {
      return work();
    } finally {
      this.watch(look);
      this.#left = left;
    }
  }

  #require(bytes: number, operator: string): void {
    const used = this.held + this.kept + bytes;
    if (this.#left !== undefined && used > this.#left) throw new OutOfBounds();
    if (used > this.mostBytes) throw memoryExceeded(operator, used, this.mostBytes);
  }

  /** Sets the function that checks call. Returns the previous function, which the caller later sets again. */
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

/**
 * The `Statement` of work outside statements, such as building indexes. Its checks do nothing, and it limits only the
 * size of each single value.
 */
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
  releasing: (work) => work(),
  within: (_bounds, work) => work(),
};
