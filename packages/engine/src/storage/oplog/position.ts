/*
 * A position is the time of an entry as a single integer: the seconds, followed by 20 bits of increment. Positions stay
 * below 2^53 until 2106, when timestamps end.
 */

export const INCREMENTS = 2 ** 20;

export function partsOfPosition(position: number): { seconds: number; increment: number } {
  return { seconds: Math.floor(position / INCREMENTS), increment: position % INCREMENTS };
}

/** Returns the position of a timestamp. If its increment exceeds 20 bits, returns the start of the next second. */
export function positionOfParts({ seconds, increment }: { seconds: number; increment: number }): number {
  return increment < INCREMENTS ? seconds * INCREMENTS + increment : (seconds + 1) * INCREMENTS;
}
