/**
 * Turns of a thread: work on values is counted where it is done, so that a statement that reads, makes, compares or
 * copies many of them yields to others, whichever operator asked for it.
 */
export interface Turn {
  /** Called after every `STEPS` steps. May throw. */
  readonly poll: () => void;
  /** How many callers are at a place that nothing else may run in. */
  held: number;
}

/** A step takes 10 ns to a few µs, a poll 50 ns. */
const STEPS = 512;

/** For work that is not part of a statement. */
export const noTurn: Turn = { poll() {}, held: 0 };

let turn = noTurn;
let left = STEPS;

/** Makes steps count for another turn; returns the previous one, so that it can be restored. */
export function changeTurn(next: Turn): Turn {
  const before = turn;
  turn = next;
  return before;
}

/** Counts one value that was read, made or compared. */
export function step(): void {
  if (--left < 0) poll();
}

/** Counts several of them, or bytes that take as long. */
export function steps(count: number): void {
  left -= count;
  if (left < 0) poll();
}

function poll(): void {
  left = STEPS;
  if (turn.held === 0) turn.poll();
}

/** Runs work in which nothing else may run, such as changing state that others see. */
export function atOnce<T>(work: () => T): T {
  const own = hold();
  try {
    return work();
  } finally {
    own.held--;
  }
}

/** Begins such work; `held--` of the returned turn ends it. */
export function hold(): Turn {
  turn.held++;
  return turn;
}
