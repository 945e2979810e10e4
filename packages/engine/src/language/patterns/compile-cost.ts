import { PatternError } from './pattern-error.ts';
import type { Part } from './syntax.ts';

/**
 * Maximum number of Unicode properties in a pattern. V8 takes up to 0.1 ms to parse each of them, even if it never
 * matches the pattern.
 */
const MAX_PROPERTIES = 400;

/**
 * Maximum number of optional parts. For each of them, V8 compiles the rest of the pattern more than once, in exponential
 * time and memory.
 */
const MAX_OPTIONAL = 10;

/**
 * Maximum size of a pattern that V8 compiles, after its counted repetitions are expanded. V8 takes up to 3 µs for each
 * part.
 */
const MAX_SIZE = 5_000;

/**
 * Maximum weight of the wide classes of a pattern that V8 compiles. A *wide* class contains characters beyond the basic
 * plane, such as `.` or `\p{L}`. V8 compiles it to alternatives, and compiles the rest of the pattern more than once for
 * each class: 7 ms for 100 dots, but half a second for ten times `\p{L}`.
 */
const MAX_WIDE = 100;
const WEIGHT_OF_PROPERTY = 30;
const WIDE = /^\[\^|[\u{10000}-\u{10ffff}]|\\u\{[0-9a-f]{5,6}\}|\\[SDW]/iu;
const SHORT_CLASS = 24;

export function propertiesIn(source: string): number {
  return source.match(/\\p\{/gi)?.length ?? 0;
}

/** Throws if a pattern, in the syntax of JavaScript, has more properties than V8 parses in about 40 ms. */
export function checkProperties(text: string): void {
  if (propertiesIn(text) > MAX_PROPERTIES) throw new PatternError('regular expression is too large');
}

/** True if V8 compiles the pattern in a few milliseconds, and in some tens of them in rare cases. */
export function isCheapToCompile(part: Part): boolean {
  const choices = total(part, ownChoices);
  if (total(part, ownOptional) > MAX_OPTIONAL || sizeOf(part) > MAX_SIZE) return false;
  return total(part, ownWidth) * (1 + choices / 2) <= MAX_WIDE;
}

/** Number of parts of a pattern after its counted repetitions are expanded. */
export function sizeOf(part: Part): number {
  if (part.kind === 'repeat') return 1 + (sizeOf(part.part) + 1) * copiesOf(part);
  if ('parts' in part) return part.parts.reduce((sum, inner) => sum + sizeOf(inner), 1);
  return 'part' in part ? 1 + sizeOf(part.part) : 1;
}

/** The sum of a figure of all parts after counted repetitions are expanded. */
function total(part: Part, own: (part: Part) => number): number {
  if ('parts' in part) return part.parts.reduce((sum, inner) => sum + total(inner, own), own(part));
  if (!('part' in part)) return own(part);
  return own(part) + total(part.part, own) * (part.kind === 'repeat' ? copiesOf(part) : 1);
}

function copiesOf({ least, most }: Extract<Part, { kind: 'repeat' }>): number {
  return most === Number.POSITIVE_INFINITY ? least + 1 : most;
}

function ownOptional(part: Part): number {
  return part.kind === 'repeat' && part.least !== part.most ? 1 : 0;
}

function ownChoices(part: Part): number {
  return part.kind === 'choice' ? part.parts.length - 1 : ownOptional(part);
}

function ownWidth(part: Part): number {
  if (part.kind !== 'one') return 0;
  const properties = propertiesIn(part.source);
  if (properties > 0) return properties * WEIGHT_OF_PROPERTY;
  if (!part.source.startsWith('[') || !WIDE.test(part.source)) return 0;
  return Math.max(1, (part.source.length - SHORT_CLASS) / 4);
}
