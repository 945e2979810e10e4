import { bsonTypes, rankOf } from '../bson/bson-types.ts';
import { describe } from '../bson/describe.ts';
import { keysOfType } from '../bson/keys.ts';
import type { Endpoint, Interval } from '../language/filter/index.ts';

/** How `explain` prints the two ends of the range of all values of a type, and whether the upper end is inclusive. */
interface TypeEnds {
  readonly low: string;
  readonly high: string;
  readonly closed: boolean;
}

const ends: ReadonlyArray<readonly [type: number, ends: TypeEnds]> = [
  [bsonTypes.minKey, { low: 'MinKey', high: 'MinKey', closed: true }],
  [bsonTypes.undefined, { low: 'undefined', high: 'undefined', closed: true }],
  [bsonTypes.null, { low: 'null', high: 'null', closed: true }],
  [bsonTypes.double, { low: 'nan.0', high: 'inf.0', closed: true }],
  [bsonTypes.string, { low: '""', high: '{}', closed: false }],
  [bsonTypes.object, { low: '{}', high: '[]', closed: false }],
  [bsonTypes.array, { low: '[]', high: 'BinData(0, )', closed: false }],
  [bsonTypes.binData, { low: 'BinData(0, )', high: `ObjectId('${'0'.repeat(24)}')`, closed: false }],
  [
    bsonTypes.objectId,
    { low: `ObjectId('${'0'.repeat(24)}')`, high: `ObjectId('${'f'.repeat(24)}')`, closed: true },
  ],
  [bsonTypes.bool, { low: 'false', high: 'true', closed: true }],
  [
    bsonTypes.date,
    { low: 'new Date(-9223372036854775808)', high: 'new Date(9223372036854775807)', closed: true },
  ],
  [bsonTypes.timestamp, { low: 'Timestamp(0, 0)', high: 'Timestamp(4294967295, 4294967295)', closed: true }],
  [bsonTypes.regex, { low: '//', high: 'DBRef()', closed: false }],
  [bsonTypes.maxKey, { low: 'MaxKey', high: 'MaxKey', closed: true }],
];

const byByte = new Map<number, TypeEnds>();
for (const [type, texts] of ends) {
  if (rankOf(type) > 0) byByte.set(keysOfType(type).low[0] as number, texts);
}
/** The distance between the key bytes of consecutive types. */
const STEP =
  (keysOfType(bsonTypes.null).low[0] as number) - (keysOfType(bsonTypes.undefined).low[0] as number);

/**
 * Prints intervals in the notation of `explain`, for example `[1, 1]` and `(5, inf.0]`. For a backward scan, the upper
 * end comes first.
 */
export function textsOf(intervals: readonly Interval[], backward: boolean): string[] {
  const texts = intervals.map((interval) => textOf(interval, backward));
  return backward ? texts.reverse() : texts;
}

function textOf({ low, high }: Interval, backward: boolean): string {
  const [from, to] = [lowText(low), highText(high)];
  const [first, last] = backward ? [to, from] : [from, to];
  return `${first.closed ? '[' : '('}${first.text}, ${last.text}${last.closed ? ']' : ')'}`;
}

interface EndText {
  readonly text: string;
  readonly closed: boolean;
}

function lowText({ key, inclusive, value, text }: Endpoint): EndText {
  if (text !== undefined) return { text, closed: inclusive };
  if (value !== undefined) return { text: describe(value), closed: inclusive };
  const type = byByte.get(key[0] as number);
  if (type !== undefined) return { text: type.low, closed: inclusive };
  const before = endingAt(key);
  return before === undefined
    ? { text: 'MinKey', closed: inclusive }
    : { text: before.high, closed: !before.closed };
}

function highText({ key, inclusive, value, text }: Endpoint): EndText {
  if (text !== undefined) return { text, closed: inclusive };
  if (value !== undefined) return { text: describe(value), closed: inclusive };
  const type = endingAt(key);
  return type === undefined ? { text: 'MaxKey', closed: true } : { text: type.high, closed: type.closed };
}

/** Returns the type whose range of values ends at a key that belongs to no value. */
function endingAt([first = 0]: Uint8Array): TypeEnds | undefined {
  return byByte.get(first - 1) ?? byByte.get(first - STEP);
}
