/** Characters that a pattern may come to once its counted repetitions are written out. */
const MOST_SIZE = 10_000;

/** What the library itself allows for counts within counts. */
const MOST_REPEATED = 1000;

/**
 * Whether a pattern is small enough to be compiled: counts are written out for it, so that a line like
 * `(?:a?a?a?…){1000}` would take gigabytes. Rather too large than too small: of repeated groups every count is taken to
 * hold for the whole pattern.
 */
export function isCompilable(pattern: string): boolean {
  return sizeOf(pattern) <= MOST_SIZE;
}

/** How much of compiled patterns a pattern is, in characters. */
export function sizeOf(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  // Without a repeated group each count is about one character.
  if (!/[)}E]\{\d/.test(pattern)) return counts.reduce((sum, count) => sum + count, pattern.length);
  const times = counts.reduce((product, count) => product * Math.max(1, count), 1);
  return pattern.length * Math.min(times, MOST_REPEATED);
}
