import { type Oddity, type Reason, reasons } from './reasons.ts';
import { type Outcome, WAITS } from './run.ts';
import type { Subject } from './subject.ts';
import { type Sample, samples } from './values.ts';

/**
 * This file finds odd answers: those that treat a type differently from similar types, and those that are never right
 * for an argument. Each odd answer needs a reason.
 */

export const descriptions: Readonly<Record<Oddity, string>> = {
  unspecific: 'error code 1 or 8, or no response',
  'numbers differ': 'equal numbers of different types get different responses',
  'codes differ': 'values of wrong types get different error codes',
  'undefined differs': 'null is accepted, but undefined is rejected',
};

const unspecific: ReadonlySet<number> = new Set([1, 8, WAITS]);

export function odditiesOf(outcome: Outcome): Oddity[] {
  const found: Oddity[] = [];
  if (outcome.some((code) => unspecific.has(code))) found.push('unspecific');
  if (numbersDiffer(outcome)) found.push('numbers differ');
  if (codesDiffer(outcome)) found.push('codes differ');
  if (answerTo('null', outcome) === 0 && answerTo('undefined', outcome) !== 0)
    found.push('undefined differs');
  return found;
}

function answerTo(type: string, outcome: Outcome): number | undefined {
  return outcome[samples.findIndex((sample) => sample.type === type)];
}

function numbersDiffer(outcome: Outcome): boolean {
  const byValue = Map.groupBy(samples.entries(), ([, { number }]) => number);
  byValue.delete(undefined);
  return [...byValue.values()].some((equal) => new Set(equal.map(([i]) => outcome[i])).size > 1);
}

/** Groups of types that should be treated alike. */
const together: readonly (readonly string[])[] = [
  ['int', 'long', 'double', 'decimal'],
  ['int', 'long', 'double', 'decimal', 'bool'],
  ['int', 'long', 'double', 'decimal', 'string'],
  ['string', 'object'],
  ['string', 'object', 'array'],
  ['object', 'array'],
  ['string', 'array'],
];

/**
 * Whether values of wrong types get different error codes. If all values of a right type are invalid, that type may
 * have another code.
 */
function codesDiffer(outcome: Outcome): boolean {
  const byType = Map.groupBy(samples.entries(), ([, { type }]: [number, Sample]) => type);
  const byCode = new Map<number, string[]>();
  for (const [type, entries] of byType) {
    const codes = new Set(entries.map(([i]) => outcome[i] as number));
    const [code] = codes;
    if (codes.size > 1 || code === 0 || code === undefined || type === 'null' || type === 'undefined')
      continue;
    byCode.set(code, [...(byCode.get(code) ?? []), type]);
  }
  const [, ...lesser] = [...byCode.values()].toSorted((a, b) => b.length - a.length);
  return lesser.some((group) => group.length > 1 && !together.some((known) => sameSet(known, group)));
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** Returns the reason for an oddity of an argument; undefined if none is listed. */
export function reasonOf(oddity: Oddity, { page, of, field }: Subject): Reason | undefined {
  const name = `${page} ${of} ${field}`;
  return reasons.find((reason) => reason.oddity === oddity && reason.subjects.test(name));
}
