import type { Random } from './random.ts';

/** The pauses after failures, which double from `first` up to `greatest` milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly greatest: number;
  /**
   * If given, a pause is a random time between half of the full pause and the full pause, so that callers
   * that failed together do not retry together.
   */
  readonly random?: Random;
}

/** Returns the milliseconds to wait after a number of consecutive failures. `failures` is at least 1. */
export function pauseAfter(failures: number, { first, greatest, random }: BackOff): number {
  const longest = Math.min(first * 2 ** (failures - 1), greatest);
  const half = Math.ceil(longest / 2);
  return random === undefined || half === 0 ? longest : half + random.integer(half);
}
