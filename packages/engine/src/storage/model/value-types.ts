import { bsonTypes, rankOf } from '../../bson/bson-types.ts';
import { IRREGULAR } from '../../bson/collation/index.ts';
import { doubleOf, textOf, type Value } from '../../bson/value.ts';

/**
 * Some different values have the same index key: equal numbers of different types, a symbol and a string, and the two
 * zeros. For each part of an index, a bit mask records which of these types its values have had. The mask shows whether
 * values can be decoded from keys.
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
/** Types in an index with a collation: texts without a sort key, and documents or arrays. */
const IRREGULAR_TEXT = 64;
const CONTAINER = 128;
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

/** Returns the type of the numbers in a decodable part; undefined if it has none. */
export function numberTypeOf(types: number): number | undefined {
  return numberTypes.get(types);
}

/**
 * Returns `known` together with the types of `values`, or undefined if there is no new type. That is nearly always the
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

export function hasIrregular(types: number): boolean {
  return (types & IRREGULAR_TEXT) !== 0;
}

export function hasTextInside(types: number): boolean {
  return (types & CONTAINER) !== 0;
}

/** Like `furtherTypes`, for the values in the keys of an index with a collation. */
export function furtherCollatedTypes(known: ValueTypes, values: readonly Value[]): ValueTypes | undefined {
  const after = known.map((before, i) => before | collatedBitsOf(values[i] as Value));
  return after.some((bit, i) => bit !== known[i]) ? after : undefined;
}

function collatedBitsOf(value: Value): number {
  if (value.type === bsonTypes.object || value.type === bsonTypes.array) return CONTAINER;
  const isText = rankOf(value.type) === rankOf(bsonTypes.string);
  return isText && textOf(value).startsWith(IRREGULAR) ? IRREGULAR_TEXT : 0;
}

function bitsOf(value: Value): number {
  const bit = bits.get(value.type) ?? 0;
  return value.type === bsonTypes.double && Object.is(doubleOf(value), -0) ? bit | NEGATIVE_ZERO : bit;
}

/** Returns the types in their stored form. */
export function encodeTypes(types: ValueTypes): string {
  return types.join(',');
}

/** Parses stored types. Returns undefined for an index that was created before types were recorded. */
export function decodeTypes(text: string | null): ValueTypes | undefined {
  return text === null ? undefined : text.split(',').map(Number);
}
