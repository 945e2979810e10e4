/**
 * Counts the work on BSON values in the functions that do it. Thus a statement that reads, creates, compares or
 * copies many values yields to other statements, in every operator.
 */
export interface Turn {
  /** Called after every `STEPS` steps. May throw. */
  readonly poll: () => void;
  /** Number of callers that are in a section in which nothing else may run. While it is not 0, `poll` is not called. */
  held: number;
  /** True if the statement should return the results that it already has, because other statements wait for its end. */
  spent?: boolean;
}

/** Number of steps between two polls. A step takes 10 ns to a few µs, a poll 50 ns. */
const STEPS = 512;

/** The turn to which work outside statements belongs. */
export const noTurn: Turn = { poll() {}, held: 0 };

let turn = noTurn;
let left = STEPS;

/** Makes steps count for another turn. Returns the previous turn, which the caller restores later. */
export function changeTurn(next: Turn): Turn {
  const before = turn;
  turn = next;
  return before;
}

/** True if the running statement should return the results that it already has, if it may return only some of them. */
export function isSpent(): boolean {
  return turn.spent === true;
}

/** Counts one value that was read, created or compared. */
export function step(): void {
  if (--left < 0) poll();
}

/** Counts several steps. Work on bytes counts as the number of values that would take the same time. */
export function steps(count: number): void {
  left -= count;
  if (left < 0) poll();
}

function poll(): void {
  left = STEPS;
  if (turn.held === 0) turn.poll();
}

/** Runs work during which nothing else may run, such as a change of shared state. */
export function atOnce<T>(work: () => T): T {
  const own = hold();
  try {
    return work();
  } finally {
    own.held--;
  }
}

/** Starts a section in which nothing else may run. The caller ends it by `held--` on the returned turn. */
export function hold(): Turn {
  turn.held++;
  return turn;
}
