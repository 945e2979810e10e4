import type { Part, Repeat } from './syntax.ts';

/**
 * An upper bound on the number of ways in which a pattern can match at one position of a text of n characters: `factor`
 * times n to the power of `degree`.
 */
interface MatchCount {
  readonly factor: number;
  readonly degree: number;
}

/** Maximum number of matching steps for V8. They take about a second. */
const MAX_STEPS = 4e7;

/**
 * Maximum number of matching steps for patterns whose number of steps grows at most linearly with the length of the
 * text. Each way to match then counts as `sizeOf(pattern)` steps. The maximum is higher than `MAX_STEPS`, because such
 * patterns fail immediately at nearly all positions of the text.
 */
const MAX_LINEAR_STEPS = 1e8;

/**
 * Maximum number of optional parts. For each of them, V8 compiles the rest of the pattern more than once, in exponential
 * time and memory.
 */
const MAX_OPTIONAL = 10;

/** Maximum size of a pattern that V8 compiles, after its counted repetitions are expanded. */
const MAX_SIZE = 20_000;

/**
 * Returns the length of the longest text on which V8 matches the pattern within the step limit. Returns -1 if V8 must
 * not even compile the pattern. In a text of n characters, the number of steps is `factor` times n to the power of
 * `exponent`. A pattern without an anchor is tried at each of the n positions, which adds 1 to the exponent.
 */
export function longestText(part: Part): number {
  if (optionalParts(part) > MAX_OPTIONAL || sizeOf(part) > MAX_SIZE) return -1;
  const { factor, degree } = matchCount(part);
  const starts = isAnchored(part) ? 0 : 1;
  const exponent = degree + starts;
  if (!Number.isFinite(exponent)) return -1;
  const letters = exponent > 1 ? MAX_STEPS / factor : MAX_LINEAR_STEPS / (factor * sizeOf(part));
  if (!(letters >= 1)) return -1;
  return exponent === 0 ? Number.POSITIVE_INFINITY : letters ** (1 / exponent);
}

function matchCount(part: Part): MatchCount {
  switch (part.kind) {
    case 'one':
    case 'zero':
      return { factor: 1, degree: 0 };
    case 'reference':
      return { factor: 1, degree: 1 };
    case 'group':
    case 'look':
      return matchCount(part.part);
    case 'sequence':
      return part.parts
        .map(matchCount)
        .reduce((a, b) => ({ factor: a.factor * b.factor, degree: a.degree + b.degree }), one);
    case 'choice':
      return part.parts
        .map(matchCount)
        .reduce((a, b) => ({ factor: a.factor + b.factor, degree: Math.max(a.degree, b.degree) }), none);
    case 'repeat':
      return repeatMatchCount(part);
  }
}

const one: MatchCount = { factor: 1, degree: 0 };
const none: MatchCount = { factor: 0, degree: 0 };

/**
 * Returns the number of ways in which a repetition can match. If the repeated part can match in only one way, the only
 * choice is when to stop the repetition.
 */
function repeatMatchCount({ part, least, most }: Repeat): MatchCount {
  const { factor, degree } = matchCount(part);
  const endless = most === Number.POSITIVE_INFINITY;
  if (factor === 1 && degree === 0)
    return endless ? { factor: 1, degree: 1 } : { factor: most - least + 1, degree: 0 };
  if (endless) return { factor: Number.POSITIVE_INFINITY, degree: 0 };
  return { factor: factor ** most * (most - least + 1), degree: degree * most };
}

/** Returns the number of optional parts after counted repetitions are expanded. */
function optionalParts(part: Part): number {
  if ('parts' in part) return part.parts.reduce((sum, inner) => sum + optionalParts(inner), 0);
  if (part.kind !== 'repeat') return 'part' in part ? optionalParts(part.part) : 0;
  const own = part.least === part.most ? 0 : 1;
  const times = part.most === Number.POSITIVE_INFINITY ? part.least + 1 : part.most;
  return own + optionalParts(part.part) * times;
}

export function sizeOf(part: Part): number {
  if ('parts' in part) return part.parts.reduce((sum, inner) => sum + sizeOf(inner), 1);
  if (part.kind === 'repeat') {
    const times = part.most === Number.POSITIVE_INFINITY ? part.least + 1 : part.most;
    return 1 + (sizeOf(part.part) + 1) * times;
  }
  return 'part' in part ? 1 + sizeOf(part.part) : 1;
}

/** True if the pattern can match only at the start of a text. */
export function isAnchored(part: Part): boolean {
  switch (part.kind) {
    case 'zero':
      return part.source === '^';
    case 'sequence':
      return part.parts[0] !== undefined && isAnchored(part.parts[0]);
    case 'choice':
      return part.parts.every(isAnchored);
    case 'group':
      return isAnchored(part.part);
    default:
      return false;
  }
}
