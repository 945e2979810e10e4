/** A measurement: seconds since the start, and megabytes of memory. */
export type Sample = readonly [seconds: number, megabytes: number];

/**
 * Returns how much the samples grow in the second half of the time. This is the slope of the line that fits them best.
 * Single peaks have little effect on it.
 */
export function growthOfSecondHalf(samples: readonly Sample[]): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [first, last] = [half.at(0), half.at(-1)];
  if (first === undefined || last === undefined || half.length < 3) throw new Error('too few samples');
  const meanOf = (place: 0 | 1) => half.reduce((sum, sample) => sum + sample[place], 0) / half.length;
  const [time, size] = [meanOf(0), meanOf(1)];
  const covariance = half.reduce((sum, [at, of]) => sum + (at - time) * (of - size), 0);
  const variance = half.reduce((sum, [at]) => sum + (at - time) ** 2, 0);
  return (covariance / variance) * (last[0] - first[0]);
}
