import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import { encodeCompoundKey, encodeKey } from '../bson/keys.ts';
import { documentOf, RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import { allKeys, point } from '../language/filter/bounds.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isAlike, isCollatable, isInOrder } from './collated.ts';
import { type Hint, readHint } from './hint.ts';
import { onlyId } from './id-lookup.ts';
import type { Plan } from './plan.ts';

export interface Limits {
  /** The lower limit of the keys, inclusive. Empty if there is none. */
  readonly min: RawDocument;
  /** The upper limit of the keys, exclusive. Empty if there is none. */
  readonly max: RawDocument;
}

/** Parses the `min` and `max` of a query. Returns undefined if neither is set. */
export function readLimits(min: RawDocument | undefined, max: RawDocument | undefined): Limits | undefined {
  const limits = { min: min ?? RawDocument.empty, max: max ?? RawDocument.empty };
  if (limits.min.isEmpty && limits.max.isEmpty) return undefined;
  if (!limits.min.isEmpty && !limits.max.isEmpty && namesOf(limits.min) !== namesOf(limits.max)) {
    throw new ServerError(51176, 'min and max must have the same field names');
  }
  return limits;
}

function namesOf(key: RawDocument): string {
  return [...key].map(({ name }) => name).join('\0');
}

/** Returns the index on `_id` if the filter is only an equality on `_id`. Then the limits need no hint. */
function impliedHint(filter: RawDocument | undefined): string | undefined {
  const id = onlyId(filter);
  return id !== undefined && isPlainValue(id) ? '_id_' : undefined;
}

/** True for a value that a filter compares with a field: no pattern, and no document of operators. */
function isPlainValue(value: Value): boolean {
  if (value.type === bsonTypes.regex) return false;
  return value.type !== bsonTypes.object || !(documentOf(value).first()?.name.startsWith('$') ?? false);
}

/** Returns the plan of a query between limits. */
export function planBetween(
  limits: Limits,
  { filter, hint }: { filter?: RawDocument | undefined; hint?: RawDocument | string | undefined },
  collection: Collection | undefined,
  comparison: Comparison | undefined,
): Plan {
  return { path: pathBetween(limits, hint ?? impliedHint(filter), collection, comparison), sorted: false };
}

/** Returns a scan of the hinted index between the limits. */
function pathBetween(
  limits: Limits,
  hint: RawDocument | string | undefined,
  collection: Collection | undefined,
  comparison: Comparison | undefined,
): AccessPath {
  const hinted = readHint(hint, collection);
  if (hint === undefined || hinted.kind === 'none') {
    if (hint !== undefined) return { kind: 'natural', reverse: false };
    throw new ServerError(51173, 'When using min()/max() a hint of which index to use must be provided');
  }
  if (hinted.kind === 'byId') return byId(limits);
  const index = ordinary(hinted);
  const names = [...index.key].map(({ name }) => name).join('\0');
  const given = limits.min.isEmpty ? limits.max : limits.min;
  if (names !== namesOf(given)) throw incompatible();
  const isOrdered = isAlike(index, comparison) && (index.collation === undefined || isInOrder(index));
  if (!isOrdered && [limits.min, limits.max].some(isCollated)) throw incompatible();
  const [low, high] = [keyOf(index, limits.min), keyOf(index, limits.max)];
  if (low !== undefined && high !== undefined && Buffer.compare(low, high) >= 0) throw unordered();
  return { kind: 'index', index, ranges: [{ low: low ?? new Uint8Array(0), high }], reverse: false };
}

function ordinary(hint: Hint): IndexDefinition {
  if (hint.kind !== 'index' || hint.index.kind !== 'ordinary') throw incompatible();
  return hint.index;
}

function incompatible(): ServerError {
  return new ServerError(51174, 'The index chosen is not compatible with min/max');
}

function unordered(): ServerError {
  return new ServerError(
    51175,
    'The value provided for min() does not come before the value provided for max().',
  );
}

function byId({ min, max }: Limits): AccessPath {
  for (const limit of [min, max]) if (!limit.isEmpty && namesOf(limit) !== '_id') throw incompatible();
  const end = (value: Value | undefined, inclusive: boolean) =>
    value && { key: encodeKey(value), inclusive, value };
  const low = end(min.first(), true) ?? allKeys.low;
  const high = end(max.first(), false) ?? allKeys.high;
  if (Buffer.compare(low.key, high.key) >= 0) throw unordered();
  return { kind: 'byId', intervals: [{ low, high }], reverse: false };
}

/** True if a limit contains a value whose order depends on a collation. */
function isCollated(limit: RawDocument): boolean {
  return [...limit].some((value) => isCollatable([point(value)]));
}

function keyOf({ parts, fold = same }: IndexDefinition, limit: RawDocument): Uint8Array | undefined {
  if (limit.isEmpty) return undefined;
  return encodeCompoundKey(
    [...limit].map(fold),
    parts.map(({ direction }) => direction),
  );
}

function same(value: Value): Value {
  return value;
}
