/*
 * In the file the time of an entry is one whole number, its position: seconds above 20 bits of increment, which stays
 * below 2^53 until the year 2106, the end of timestamps.
 */

export const INCREMENTS = 2 ** 20;

export function partsOfPosition(position: number): { seconds: number; increment: number } {
  return { seconds: Math.floor(position / INCREMENTS), increment: position % INCREMENTS };
}

/** An increment that no entry has stands before the first entry of the next second. */
export function positionOfParts({ seconds, increment }: { seconds: number; increment: number }): number {
  return increment < INCREMENTS ? seconds * INCREMENTS + increment : (seconds + 1) * INCREMENTS;
}
