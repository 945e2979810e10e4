import { bsonTypes } from '../../bson/bson-types.ts';
import { doubleOf, type Value } from '../../bson/value.ts';

/**
 * What keys do not tell of the values they were made of, as bits for each part of an index that say what its values
 * have been so far: equal numbers of all types have one key, as have a symbol and its text, and both zeros.
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
/** There is no way back from keys, whatever else there is. */
const LOST = 8 | 16 | NEGATIVE_ZERO;

const numberTypes: ReadonlyMap<number, number> = new Map([
  [1, bsonTypes.int],
  [2, bsonTypes.long],
  [4, bsonTypes.double],
]);

export function noTypes(parts: number): ValueTypes {
  return Array.from({ length: parts }, () => 0);
}

/** Whether the keys of a part tell its values, but for rows that look like none (see `KeyReader`). */
export function areTold(types: number): boolean {
  return (types & LOST) === 0 && (types & (types - 1)) === 0;
}

/** The type of all numbers of a part whose values are told, where there are numbers. */
export function numberTypeOf(types: number): number | undefined {
  return numberTypes.get(types);
}

/** What values add to the types that are known; none where they add nothing, as nearly always. */
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

/** As the catalog keeps them. */
export function encodeTypes(types: ValueTypes): string {
  return types.join(',');
}

/** None for an index that was made before its types were noted. */
export function decodeTypes(text: string | null): ValueTypes | undefined {
  return text === null ? undefined : text.split(',').map(Number);
}
