import { bsonTypes } from '../../bson/bson-types.ts';
import { doubleOf, type Value } from '../../bson/value.ts';

/**
 * Index keys are the same for equal numbers of different types, for a symbol and a string, and for the two zeros. A bit
 * mask for each part of an index records which of these types its values have had, so that values can be decoded from
 * keys.
 */
export type ValueTypes = readonly number[];

const bits: ReadonlyMap<number, number> = new Map([
  [bsonTypes.int, 1],
  [bsonTypes.long, 2],
  [bsonTypes.double, 4],
  [bsonTypes.decimal, 8],
  [bsonTypes.symbol, 16],
]);
const NEGATIVE_ZERO = 32;
/** The types whose values can never be decoded from keys. */
const LOST = 8 | 16 | NEGATIVE_ZERO;

const numberTypes: ReadonlyMap<number, number> = new Map([
  [1, bsonTypes.int],
  [2, bsonTypes.long],
  [4, bsonTypes.double],
]);

export function noTypes(parts: number): ValueTypes {
  return Array.from({ length: parts }, () => 0);
}

/** True if the values of a part can be decoded from keys, except those that `KeyReader` reports as lost. */
export function areDecodable(types: number): boolean {
  return (types & LOST) === 0 && (types & (types - 1)) === 0;
}

/** The type of the numbers in a decodable part; undefined if it has none. */
export function numberTypeOf(types: number): number | undefined {
  return numberTypes.get(types);
}

/**
 * Returns the types together with those of `values`, or undefined if there is no new type, which is nearly always the
 * case.
 */
export function furtherTypes(known: ValueTypes, values: readonly Value[]): ValueTypes | undefined {
  let further: number[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const before = known[i] as number;
    const after = before | bitsOf(values[i] as Value);
    if (after === before) continue;
    further ??= [...known];
    further[i] = after;
  }
  return further;
}

function bitsOf(value: Value): number {
  const bit = bits.get(value.type) ?? 0;
  return value.type === bsonTypes.double && Object.is(doubleOf(value), -0) ? bit | NEGATIVE_ZERO : bit;
}

/** The types in their stored form. */
export function encodeTypes(types: ValueTypes): string {
  return types.join(',');
}

/** Returns undefined for an index that was created before types were recorded. */
export function decodeTypes(text: string | null): ValueTypes | undefined {
  return text === null ? undefined : text.split(',').map(Number);
}
