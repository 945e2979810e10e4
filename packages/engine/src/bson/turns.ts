/**
 * Lets other statements run while one statement does much work on BSON values. Every function that reads, creates,
 * compares or copies values counts its work in steps, so that all operators are covered. Each statement has a `Turn`,
 * to which its steps belong.
 */
export interface Turn {
  /** Called after every `STEPS` steps. May throw. */
  readonly poll: () => void;
  /**
   * Number of open sections in which no other statement may run (see `hold`). While the number is not 0, `poll` is not
   * called.
   */
  held: number;
  /**
   * True if the statement should return the results that it already has, because other statements wait until
   * it ends.
   */
  spent?: boolean;
  /** Also gets the number of steps before each poll. May throw. Set by `metered`. */
  meter?: ((steps: number) => void) | undefined;
  /** The memory of the statement. */
  readonly memory?: KeptMemory;
}

interface KeptMemory {
  /** Counts bytes that stay in memory until the statement ends. May throw. */
  keep(bytes: number, what: string): void;
  releasing<T>(work: () => T): T;
}

/** Number of steps between two polls. A step takes 10 ns to a few µs, a poll 50 ns. */
const STEPS = 512;
/** Number of passes through a short loop that take as long as one step. */
const PASSES_PER_STEP = 8;

/** The `Turn` of work that does not belong to a statement. */
export const noTurn: Turn = { poll() {}, held: 0 };

let turn = noTurn;
let left = STEPS;

/** Counts later steps for another `Turn`. Returns the previous `Turn`, which the caller restores later. */
export function changeTurn(next: Turn): Turn {
  const before = turn;
  turn = next;
  return before;
}

/**
 * True if the running statement should return the results that it already has. Statements that must return
 * all results ignore this.
 */
export function isSpent(): boolean {
  return turn.spent === true;
}

/** Counts one value that was read, created or compared. */
export function step(): void {
  if (--left < 0) poll();
}

/** Counts several steps. For work on bytes, callers pass the number of steps that take the same time. */
export function steps(count: number): void {
  left -= count;
  if (left < 0) poll();
}

/** Counts copied bytes. Copying 256 bytes takes as long as one step. */
export function copied(bytes: number): void {
  steps(1 + (bytes >> 8));
}

/** Counts passes through a loop that does little more than read and write numbers in arrays. */
export function passes(count: number): void {
  steps(count / PASSES_PER_STEP);
}

function poll(): void {
  const done = STEPS - left;
  left = STEPS;
  if (turn.held > 0) return;
  turn.meter?.(done);
  turn.poll();
}

/** Runs work whose steps have a limit of their own. `meter` gets their number, in parts, and may throw. */
export function metered<T>(meter: (steps: number) => void, work: () => T): T {
  const own = turn;
  const before = own.meter;
  own.meter = meter;
  try {
    return work();
  } finally {
    own.meter = before;
  }
}

/**
 * Counts bytes that the running statement keeps in memory until it ends. Throws if the statement exceeds its memory
 * limit. `what` says in the error message what the bytes are for.
 */
export function keep(bytes: number, what: string): void {
  turn.memory?.keep(bytes, what);
}

/** Runs work, and then releases the bytes that it kept. To be called if the work ends before the statement. */
export function releasing<T>(work: () => T): T {
  return turn.memory === undefined ? work() : turn.memory.releasing(work);
}

/** Runs work during which no other statement may run, such as a change of shared state. */
export function atOnce<T>(work: () => T): T {
  const own = hold();
  try {
    return work();
  } finally {
    own.held--;
  }
}

/**
 * Starts a section in which no other statement may run. The caller ends the section by `held--` on the returned
 * `Turn`.
 */
export function hold(): Turn {
  turn.held++;
  return turn;
}
