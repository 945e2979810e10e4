import type { Random } from './random.ts';

/** How long to wait after failures: the pause doubles from `first` up to `greatest` milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly greatest: number;
  /** With it the second half of the pause is cut at random, so that many that failed together do not come together. */
  readonly random?: Random;
}

/** Milliseconds to wait after so many failures in a row, from 1. */
export function pauseAfter(failures: number, { first, greatest, random }: BackOff): number {
  const longest = Math.min(first * 2 ** (failures - 1), greatest);
  const half = Math.ceil(longest / 2);
  return random === undefined || half === 0 ? longest : half + random.integer(half);
}
