/** Maximum size of a pattern, in characters, once its counted repetitions are written out. */
const MAX_SIZE = 10_000;

/** The regular expression library limits nested counts to 1000. */
const MAX_REPEATED = 1000;

/**
 * Whether a pattern is small enough to compile. The library writes repetitions out, so that a pattern such as
 * `(?:a?a?a?…){1000}` would take gigabytes. The estimate is an upper bound: if a group is repeated, every count is
 * taken to apply to the whole pattern.
 */
export function isCompilable(pattern: string): boolean {
  return expandedSize(pattern) <= MAX_SIZE;
}

/** The estimated size of a pattern, in characters, once its repetitions are written out. */
export function expandedSize(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  // Without a repeated group, each count repeats about one character.
  if (!/[)}E]\{\d/.test(pattern)) return counts.reduce((sum, count) => sum + count, pattern.length);
  const times = counts.reduce((product, count) => product * Math.max(1, count), 1);
  return pattern.length * Math.min(times, MAX_REPEATED);
}
