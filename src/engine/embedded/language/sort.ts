import { ServerError } from '../server-error.ts';
import { bsonTypes } from './bson-types.ts';
import { compareValues } from './compare.ts';
import { describe } from './describe.ts';
import { checkFieldPath } from './field-path.ts';
import { type KeyTuple, keyTuples } from './index-keys.ts';
import type { Direction } from './keys.ts';
import { toInteger } from './numbers/convert.ts';
import { type Path, pathOf } from './paths.ts';
import { documentOf, type RawDocument } from './raw.ts';
import { type Element, isNumber } from './value.ts';

/** A compiled sort specification. */
export interface Sort {
  readonly parts: readonly SortPart[];
  /**
   * What the document is sorted by: of an array the smallest entry, or the greatest where the order descends.
   */
  keyOf(doc: RawDocument): KeyTuple;
  compareKeys(a: KeyTuple, b: KeyTuple): number;
  compare(a: RawDocument, b: RawDocument): number;
  /**
   * The documents in order, equal ones as they came; with `limit` only so many of them, never holding many
   * more.
   */
  apply(docs: Iterable<RawDocument>, limit?: number): RawDocument[];
}

export interface SortPart {
  readonly path: Path;
  readonly direction: Direction;
}

/** What 13103 names. */
const MAX_PARTS = 32;

/** An empty specification leaves the order as it is. */
export function compileSort(spec: RawDocument): Sort {
  const parts = [...spec].map(compilePart);
  if (parts.length > MAX_PARTS) throw new ServerError(13103, `too many compound keys: ${parts.length}`);
  if (new Set(parts.map(({ path }) => path.text)).size !== parts.length) {
    throw new ServerError(7472500, '$sort key must not contain duplicate keys');
  }
  const paths = parts.map(({ path }) => path);
  const directions = parts.map(({ direction }) => direction);
  const compareKeys = (a: KeyTuple, b: KeyTuple) => compareTuples(a, b, directions);
  const keyOf = (doc: RawDocument) =>
    keyTuples(paths, doc, parallelArrays).reduce((least, tuple) =>
      compareKeys(tuple, least) < 0 ? tuple : least,
    );
  return {
    parts,
    keyOf,
    compareKeys,
    compare: (a, b) => compareKeys(keyOf(a), keyOf(b)),
    apply: (docs, limit = Number.POSITIVE_INFINITY) => sorted(docs, limit, keyOf, compareKeys),
  };
}

function compilePart(element: Element): SortPart {
  const { name } = element;
  const direction = directionOf(element);
  checkFieldPath(name);
  return { path: pathOf(name), direction };
}

function directionOf(element: Element): Direction {
  if (element.type === bsonTypes.object) throw refuseMeta(documentOf(element));
  if (!isNumber(element)) {
    throw new ServerError(15974, `Illegal key in $sort specification: ${element.name}: ${describe(element)}`);
  }
  const direction = toInteger(element);
  if (direction !== 1 && direction !== -1) {
    throw new ServerError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  return direction;
}

/** Orders by what a search or a query left beside the document are not there. */
function refuseMeta(spec: RawDocument): ServerError {
  const meta = spec.get('$meta');
  if (meta === undefined) {
    return new ServerError(17312, '$meta is the only expression supported by $sort right now');
  }
  return spec.after(spec.first() as Element) === undefined
    ? new ServerError(31138, `Illegal $meta sort: $meta: ${describe(meta)}`)
    : new ServerError('FailedToParse', 'Cannot have additional keys in a $meta sort specification');
}

function parallelArrays(): ServerError {
  return new ServerError('BadValue', 'cannot sort with keys that are parallel arrays');
}

function compareTuples(a: KeyTuple, b: KeyTuple, directions: readonly Direction[]): number {
  for (const [i, direction] of directions.entries()) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return 0;
    const order = compareValues(left, right);
    if (order !== 0) return order * direction;
  }
  return 0;
}

interface Keyed {
  readonly doc: RawDocument;
  readonly key: KeyTuple;
}

function sorted(
  docs: Iterable<RawDocument>,
  limit: number,
  keyOf: (doc: RawDocument) => KeyTuple,
  compareKeys: (a: KeyTuple, b: KeyTuple) => number,
): RawDocument[] {
  const order = (a: Keyed, b: Keyed) => compareKeys(a.key, b.key);
  // Sorting again each time so many are collected costs little and bounds what is held.
  const most = limit * 2 + 1024;
  let collected: Keyed[] = [];
  for (const given of docs) {
    const doc = given.compact();
    collected.push({ doc, key: keyOf(doc) });
    if (collected.length >= most) collected = collected.sort(order).slice(0, limit);
  }
  collected.sort(order);
  return collected.slice(0, limit).map(({ doc }) => doc);
}
