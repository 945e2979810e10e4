import { firstIndex } from '@portolan/foundation/first-index';
import { bsonTypes } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf } from '../../../bson/raw.ts';
import { step } from '../../../bson/turns.ts';
import { boolOf, int64Of, textOf, type Value } from '../../../bson/value.ts';
import type { Segment } from '../../file/segment.ts';
import { type FieldType, hexTerm, keys } from '../../mapping/field.ts';
import { integerTerm, isLargeInteger } from '../../mapping/integers.ts';
import { searchError } from '../errors.ts';
import { Hits } from '../hits.ts';
import type { Operator } from '../operator.ts';
import type { Searching } from '../searching.ts';

/** A value to search for, in the form in which the index stores it. */
export type SearchValue =
  | {
      readonly kind: 'number';
      readonly number: number;
      /** The term of the number in fields that store integers exactly. */
      readonly term: string;
    }
  | { readonly kind: 'date'; readonly number: number }
  | { readonly kind: 'string' | 'boolean' | 'objectId' | 'uuid' | 'null'; readonly text: string };

/** Throws if the value cannot be indexed. */
export function searchValue(value: Value, name: string): SearchValue {
  switch (value.type) {
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.double:
      return { kind: 'number', number: toNumber(value), term: integerTerm(value) };
    case bsonTypes.date:
      return { kind: 'date', number: Number(int64Of(value)) };
    case bsonTypes.string:
      return { kind: 'string', text: textOf(value) };
    case bsonTypes.bool:
      return { kind: 'boolean', text: String(boolOf(value)) };
    case bsonTypes.objectId:
      return { kind: 'objectId', text: hexTerm(value, 0) };
    case bsonTypes.null:
      return { kind: 'null', text: '' };
    case bsonTypes.binData:
      if (value.bytes[value.start + 4] === 4) return { kind: 'uuid', text: hexTerm(value, 5) };
      break;
  }
  throw searchError(`"${name}" must be a boolean, objectId, number, string, date, uuid, or null`);
}

/** Reads several values of one type, without null. */
export function searchValues(value: Value, name: string): SearchValue[] {
  const kinds = new Set<SearchValue['kind']>();
  const read = (one: Value) => {
    if (one.type === bsonTypes.null) throw searchError(`"${name}" cannot contain null`);
    const found = searchValue(one, name);
    kinds.add(found.kind);
    return found;
  };
  const values = value.type === bsonTypes.array ? documentOf(value).map(read) : [read(value)];
  if (values.length === 0) throw searchError(`"${name}" cannot be empty`);
  if (kinds.size > 1) throw searchError(`"${name}" must have elements of one type`);
  return values;
}

const termFields = {
  string: keys.token,
  boolean: keys.boolean,
  objectId: keys.objectId,
  uuid: keys.uuid,
  null: keys.nothing,
} as const;

/** Returns the name of the field that contains the values of a kind at a path. */
export function fieldOf(kind: SearchValue['kind'], path: string): string {
  return kind === 'number' || kind === 'date' ? keys[kind](path) : termFields[kind](path);
}

/** Marks the documents that contain a value. With `nonFinite`, infinities and NaN match as well. */
export function markEqual(
  segment: Segment,
  path: string,
  value: SearchValue,
  hits: Hits,
  nonFinite: boolean,
): void {
  if ('text' in value) {
    markTerm(segment, termFields[value.kind](path), value.text, hits);
    return;
  }
  const { number, kind } = value;
  if (kind === 'number' && isLargeInteger(number) && segment.has(keys.integer(path))) {
    markTerm(segment, keys.integer(path), value.term, hits);
    return;
  }
  if (!nonFinite && !Number.isFinite(number)) return;
  const points = segment.points(fieldOf(kind, path));
  if (points === undefined) return;
  step();
  if (Number.isNaN(number)) {
    for (let at = 0; at < points.values.length && Number.isNaN(points.values[at]); at++)
      hits.set(points.docs[at] as number, 1);
    return;
  }
  const { values, docs } = points;
  for (let at = lowerBound(values, number); at < values.length && values[at] === number; at++)
    hits.set(docs[at] as number, 1);
}

function markTerm(segment: Segment, field: string, term: string, hits: Hits): void {
  for (const doc of segment.postings(field, term)?.docs ?? []) hits.set(doc, 1);
}

/** Returns the index of the first element that is at least `value`. `values` is sorted; NaN sorts first. */
export function lowerBound(values: Float64Array, value: number): number {
  return firstIndex(values, (found) => found >= value);
}

/** Creates an operator whose matches and scores in a segment are those that `mark` sets in `hits`. */
export function marking(mark: (segment: Segment, hits: Hits) => void): Operator {
  return {
    hits(segment) {
      const hits = new Hits(segment.size);
      mark(segment, hits);
      return hits;
    },
  };
}

/**
 * Throws if a string is compared as a whole, but the path is indexed neither as tokens nor as a filter field.
 */
export function checkWhole(path: string, kind: SearchValue['kind'], search: Searching, at: string): void {
  if (search.plan === undefined || kind !== 'string') return;
  const { mappings } = search.field(path);
  const whole: readonly FieldType[] = ['token', 'filter'];
  if (mappings.some(({ type }) => whole.includes(type))) return;
  throw searchError(`"${at}" with a string requires path "${path}" to be indexed as token`);
}

/** Normalizes a value in the way in which tokens at the path are normalized. */
export function normalized(path: string, value: SearchValue, search: Searching): SearchValue {
  if (value.kind !== 'string') return value;
  const token = search.mapping(path, 'token');
  return token?.normalizer === 'lowercase' ? { kind: 'string', text: value.text.toLowerCase() } : value;
}
