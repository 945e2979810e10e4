import type { Dice } from '../random.ts';

/** Bodies that contain one error, and arbitrary bodies. */

const odd: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [null],
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  'a/b%c',
  '😀',
  '2024-02-30',
  '9999-12-31T23:59:59-23:59',
  { $gt: '' },
  [[[[[]]]]],
  '__proto__',
];

/** Changes, removes or adds one value at a random place. */
export function damaged(value: unknown, dice: Dice): unknown {
  const places = placesIn(value);
  const [holder, key] = places[dice.below(places.length)] ?? [];
  if (holder === undefined || key === undefined) return odd[dice.below(odd.length)];
  if (dice.below(4) === 0) delete holder[key];
  else holder[dice.below(8) === 0 ? 'colour' : key] = odd[dice.below(odd.length)];
  return value;
}

type Holder = Record<string, unknown>;

function placesIn(value: unknown): [holder: Holder, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...placesIn(holder[key])]);
}

const texts = [
  '',
  '{',
  '{"a":1,"a":2}',
  '[1,]',
  'null',
  '7',
  '"x"',
  '[]',
  '{"__proto__":{}}',
  'NaN',
  '\u0000',
];

export function nonsenseText(dice: Dice): string {
  if (dice.below(2) === 0) return texts[dice.below(texts.length)] ?? '';
  return JSON.stringify(odd[dice.below(odd.length)]);
}

const segments = ['%00', '%zz', '..', 'x'.repeat(300), '%F0%9F%98%80', '%20', 'undefined', '0', '%2F', "'"];

export function nonsenseSegment(dice: Dice): string {
  return segments[dice.below(segments.length)] ?? '';
}

export function nonsenseValue(dice: Dice): unknown {
  return odd[dice.below(odd.length)];
}
