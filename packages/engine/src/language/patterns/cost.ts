import { isCheapToCompile, propertiesIn } from './compile-cost.ts';
import { type Growth, NONE, ONCE, power, product, sum } from './growth.ts';
import type { Part, Repeat } from './syntax.ts';

/** What V8 does at one position of a text, in the worst case. */
interface Work {
  /** The number of ways in which a part can match. After each way, V8 tries the following parts. */
  readonly ways: Growth;
  readonly steps: Growth;
}

/**
 * Maximum number of matching steps for V8. A step takes 2 to 4 ns. Since the number of steps is an upper bound, most
 * patterns take a small part of the 50 ms that a statement may run without a pause.
 */
const MAX_STEPS = 1e7;

/**
 * Steps for one character of a class with many ranges, such as a Unicode property, and of a case-insensitive back
 * reference.
 */
const STEPS_OF_RANGES = 12;

/** Length of the longest class that counts as one step. */
const SHORT_CLASS = 32;

/**
 * Returns the length of the longest text on which V8 matches the pattern within the step limit. Returns -1 if V8 must
 * not even compile the pattern. A pattern without an anchor is tried at each position of the text.
 */
export function longestText(part: Part): number {
  if (!isCheapToCompile(part)) return -1;
  const { factor, degree } = workOf(part).steps;
  const exponent = degree + (isAnchored(part) ? 0 : 1);
  const letters = MAX_STEPS / factor;
  if (!Number.isFinite(exponent) || !(letters >= 1)) return -1;
  return exponent === 0 ? Number.POSITIVE_INFINITY : letters ** (1 / exponent);
}

function workOf(part: Part): Work {
  switch (part.kind) {
    case 'one':
      return { ways: ONCE, steps: { factor: stepsOf(part.source), degree: 0 } };
    case 'zero':
      return { ways: ONCE, steps: ONCE };
    case 'reference':
      return { ways: ONCE, steps: { factor: part.ignoreCase ? STEPS_OF_RANGES : 1, degree: 1 } };
    case 'group':
      return withSteps(workOf(part.part), ONCE);
    case 'look':
      // V8 does not try other ways to match a lookahead after the first way.
      return withSteps({ ways: ONCE, steps: workOf(part.part).steps }, ONCE);
    case 'sequence':
      return part.parts.map(workOf).reduce(followed, { ways: ONCE, steps: NONE });
    case 'choice':
      return part.parts
        .map((inner) => withSteps(workOf(inner), ONCE))
        .reduce((a, b) => ({ ways: sum(a.ways, b.ways), steps: sum(a.steps, b.steps) }));
    case 'repeat':
      return repeated(part);
  }
}

function stepsOf(source: string): number {
  return propertiesIn(source) > 0 || source.length > SHORT_CLASS ? STEPS_OF_RANGES : 1;
}

function withSteps({ ways, steps }: Work, more: Growth): Work {
  return { ways, steps: sum(steps, more) };
}

function followed(before: Work, after: Work): Work {
  return {
    ways: product(before.ways, after.ways),
    steps: sum(before.steps, product(before.ways, after.steps)),
  };
}

/**
 * If the repeated part can match in only one way, the only choice is when to stop the repetition. Otherwise each
 * repetition multiplies the number of ways.
 */
function repeated({ part, least, most }: Repeat): Work {
  const { ways, steps } = workOf(part);
  const single = ways.factor === 1 && ways.degree === 0;
  if (most === Number.POSITIVE_INFINITY) {
    const stops = { factor: 1, degree: 1 };
    // The repetitions that are required count as well, because they can match the empty text.
    if (single) return { ways: stops, steps: product(sum(steps, ONCE), { factor: 1 + least, degree: 1 }) };
    const endless = { factor: Number.POSITIVE_INFINITY, degree: 0 };
    return { ways: endless, steps: endless };
  }
  const stops = { factor: most - least + 1, degree: 0 };
  const times = { factor: most, degree: 0 };
  return {
    ways: product(stops, power(ways, most)),
    steps: product(times, product(power(ways, most - 1), sum(steps, ONCE))),
  };
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
