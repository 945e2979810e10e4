/** Maximum size of a pattern in characters, after its counted repetitions are expanded. */
const MAX_SIZE = 10_000;

/** The greatest product of nested counts that the regular expression library accepts. */
const MAX_REPEATED = 1000;

/** Parsing a Unicode property takes as long as compiling this number of characters. */
const PROPERTY_SIZE = 50;

/**
 * If a pattern ignores case, RE2 looks up the other cases of each character of a range, even if several ranges overlap.
 * For this number of characters, this takes as long as compiling one character, about a microsecond.
 */
const FOLDED_PER_CHARACTER = 32;

/** No character beyond this one has another case. */
const LAST_FOLDED = 0x1e943;

/**
 * True if a pattern is small enough to compile. The library expands repetitions, so a pattern such as
 * `(?:a?a?a?…){1000}` would take gigabytes. The estimate is an upper bound: if a group is repeated, each count is
 * assumed to apply to the whole pattern.
 */
export function isCompilable(pattern: string, ignoreCase = false): boolean {
  return expandedSize(pattern, ignoreCase) <= MAX_SIZE;
}

/** Estimates the size of a pattern in characters, after its repetitions are expanded. */
export function expandedSize(pattern: string, ignoreCase = false): number {
  const properties = pattern.match(/\\p/gi)?.length ?? 0;
  return repeatedSize(pattern) + PROPERTY_SIZE * properties + foldedSize(pattern, ignoreCase);
}

function repeatedSize(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  // Without a repeated group, each count repeats about one character, so the counts are added.
  if (!/[)}E]\{\d/.test(pattern)) return counts.reduce((sum, count) => sum + count, pattern.length);
  const times = counts.reduce((product, count) => product * Math.max(1, count), 1);
  return pattern.length * Math.min(times, MAX_REPEATED);
}

/** The size of the ranges of a pattern that ignores case. An escape counts as the last character. */
function foldedSize(pattern: string, ignoreCase: boolean): number {
  if (!ignoreCase && !/\(\?[a-z-]*i/i.test(pattern)) return 0;
  let folded = 0;
  for (const [, first, last] of pattern.matchAll(/(?<=(.))-(?=(.))/gsu)) {
    const end = last === '\\' ? LAST_FOLDED : Math.min(last?.codePointAt(0) ?? 0, LAST_FOLDED);
    folded += Math.max(0, end - (first?.codePointAt(0) ?? 0));
  }
  return Math.ceil(folded / FOLDED_PER_CHARACTER);
}
