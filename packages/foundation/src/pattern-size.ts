/** Maximum size of a pattern in characters, after its counted repetitions are expanded. */
const MAX_SIZE = 10_000;

/** The greatest product of nested counts that the regular expression library accepts. */
const MAX_REPEATED = 1000;

/**
 * True if a pattern is small enough to compile. The library expands repetitions, so a pattern such as
 * `(?:a?a?a?…){1000}` would take gigabytes. The estimate is an upper bound: if a group is repeated, each count is
 * assumed to apply to the whole pattern.
 */
export function isCompilable(pattern: string): boolean {
  return expandedSize(pattern) <= MAX_SIZE;
}

/** Estimates the size of a pattern in characters, after its repetitions are expanded. */
export function expandedSize(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  // Without a repeated group, each count repeats about one character, so the counts are added.
  if (!/[)}E]\{\d/.test(pattern)) return counts.reduce((sum, count) => sum + count, pattern.length);
  const times = counts.reduce((product, count) => product * Math.max(1, count), 1);
  return pattern.length * Math.min(times, MAX_REPEATED);
}
