import { bsonTypes } from '../bson/bson-types.ts';
import { byBytes, type Comparison } from '../bson/collation/comparison.ts';
import { compareValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import type { Direction } from '../bson/keys.ts';
import { toInteger } from '../bson/numbers/convert.ts';
import { documentOf, findField, type RawDocument } from '../bson/raw.ts';
import { double, type Element, isNumber, nullValue, textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import { type Statement, unwatched } from '../statement/statement.ts';
import { checkFieldPath } from './field-path.ts';
import { type KeyTuple, visitTuples } from './index-keys.ts';
import { metadataValue } from './metadata.ts';
import { type Path, type PathPart, pathOf } from './paths.ts';

/** A compiled sort specification. */
export interface Sort {
  readonly parts: readonly SortPart[];
  /** The sort key of the document. An array counts as its smallest entry, or as its greatest if the order descends. */
  keyOf(doc: RawDocument): KeyTuple;
  compareKeys(a: KeyTuple, b: KeyTuple): number;
  /** True if the document sorts at or after the key; cheaper than computing the document's key. */
  isBehind(doc: RawDocument, key: KeyTuple): boolean;
  compare(a: RawDocument, b: RawDocument): number;
}

interface SortPart {
  readonly path: Path;
  readonly direction: Direction;
  /** The name of the metadata by which the part sorts; absent if the part sorts by a field. */
  readonly meta?: string;
}

/** The server's limit for fields, and here also for metadata. A sort with more parts fails with error 13103. */
const MAX_PARTS = 32;

/** The environment of a sort. */
export interface SortContext {
  /** How strings are compared. If absent, they are compared by bytes. */
  readonly comparison?: Comparison | undefined;
  readonly statement: Statement;
}

/** Compiles a sort specification. An empty specification keeps the order of the documents. */
export function compileSort(
  spec: RawDocument,
  { comparison: { compare } = byBytes, statement }: SortContext = { statement: unwatched },
): Sort {
  const parts = partsOf(spec);
  if (new Set(parts.map(({ path }) => path.text)).size !== parts.length) {
    throw new ServerError(7472500, '$sort key must not contain duplicate keys');
  }
  const paths = parts.filter(({ meta }) => meta === undefined).map(({ path }) => path);
  const directions = parts.map(({ direction }) => direction);
  const compareKeys = (a: KeyTuple, b: KeyTuple) => {
    statement.check();
    return compareTuples(a, b, directions, compare);
  };
  const complete = withMetadata(parts);
  const keyOf = (doc: RawDocument) => {
    let least: KeyTuple | undefined;
    const visit = (tuple: KeyTuple) => {
      const key = complete(tuple, doc);
      if (least === undefined || compareKeys(key, least) < 0) least = key;
    };
    visitTuples(paths, doc, { visit, parallel: parallelArrays });
    return least as KeyTuple;
  };
  const plain = parts.every(({ path, meta }) => meta === undefined && path.parts.length === 1);
  return {
    parts,
    keyOf,
    compareKeys,
    isBehind(doc, key) {
      const order = plain ? compareFields(doc, key, parts, compare) : undefined;
      return (order ?? compareKeys(keyOf(doc), key)) >= 0;
    },
    compare: (a, b) => compareKeys(keyOf(a), keyOf(b)),
  };
}

function partsOf(spec: RawDocument): SortPart[] {
  const parts: SortPart[] = [];
  let fields = 0;
  let metas = 0;
  for (const element of spec) {
    const part = compilePart(element);
    if (part.meta === undefined) fields++;
    else metas++;
    // Further parts are checked, but not kept, because there may be millions of them.
    if (fields <= MAX_PARTS && metas <= MAX_PARTS) parts.push(part);
  }
  const most = Math.max(fields, metas);
  if (most > MAX_PARTS) throw new ServerError(13103, `too many compound keys: ${most}`);
  return parts;
}

function compilePart(element: Element): SortPart {
  const { name } = element;
  if (element.type === bsonTypes.object) return metaPart(name, documentOf(element));
  const direction = directionOf(element);
  checkFieldPath(name);
  return { path: pathOf(name), direction };
}

function directionOf(element: Element): Direction {
  if (!isNumber(element)) {
    throw new ServerError(15974, `Illegal key in $sort specification: ${element.name}: ${describe(element)}`);
  }
  const direction = toInteger(element);
  if (direction !== 1 && direction !== -1) {
    throw new ServerError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  return direction;
}

/** Metadata by which documents can be sorted. The order is always descending, even for distances. */
const orderedBy: ReadonlySet<string> = new Set([
  'textScore',
  'searchScore',
  'vectorSearchScore',
  'score',
  'geoNearDistance',
  'randVal',
]);

function metaPart(name: string, spec: RawDocument): SortPart {
  const meta = spec.get('$meta');
  if (meta === undefined) {
    throw new ServerError(17312, '$meta is the only expression supported by $sort right now');
  }
  if (spec.after(spec.first() as Element) !== undefined) {
    throw new ServerError('FailedToParse', 'Cannot have additional keys in a $meta sort specification');
  }
  const keyword = meta.type === bsonTypes.string ? textOf(meta) : '';
  if (!orderedBy.has(keyword)) {
    throw new ServerError(31138, `Illegal $meta sort: $meta: ${describe(meta)}`);
  }
  return { path: pathOf(name), direction: -1, meta: keyword };
}

/**
 * Returns a function that inserts metadata among the field values of a key, at the positions that the specification
 * defines.
 */
function withMetadata(parts: readonly SortPart[]): (tuple: KeyTuple, doc: RawDocument) => KeyTuple {
  if (parts.every(({ meta }) => meta === undefined)) return (tuple) => tuple;
  return (tuple, doc) => {
    const fields = tuple.values();
    return parts.map(({ meta }) =>
      meta === undefined ? (fields.next().value ?? nullValue) : (metadataValue(doc, meta) ?? nullValue),
    );
  };
}

function parallelArrays(): ServerError {
  return new ServerError('BadValue', 'cannot sort with keys that are parallel arrays');
}

function compareTuples(
  a: KeyTuple,
  b: KeyTuple,
  directions: readonly Direction[],
  compare: Comparison['compare'],
): number {
  for (const [i, direction] of directions.entries()) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return 0;
    const order = compare(left, right);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/**
 * Compares field by field and stops at the first difference. Returns undefined if a field is an array, because an array
 * may have several candidates for the sort key.
 */
function compareFields(
  { bytes, offset }: RawDocument,
  key: KeyTuple,
  parts: readonly SortPart[],
  compare: Comparison['compare'],
): number | undefined {
  let found = 0;
  for (let i = 0; i < parts.length; i++) {
    const { path, direction } = parts[i] as SortPart;
    const value = findField(bytes, offset, (path.parts[0] as PathPart).bytes) ?? nullValue;
    if (value.type === bsonTypes.array) return undefined;
    found ||= compare(value, key[i] as Value) * direction;
    // If at most one field is left, the order is decided even if that field is an array. If more fields are
    // left, two of them might be arrays, which is an error.
    if (found !== 0 && parts.length - i <= 2) return found;
  }
  return found;
}

/** Sorts in ascending order by a number computed from each document. */
export function byNumber(
  numberOf: (doc: RawDocument) => number,
  statement: Statement,
): Pick<Sort, 'keyOf' | 'compareKeys'> {
  const keyOf = (doc: RawDocument): KeyTuple => [double(numberOf(doc))];
  const compareKeys = (a: KeyTuple, b: KeyTuple) => {
    statement.check();
    return compareTuples(a, b, [1], compareValues);
  };
  return { keyOf, compareKeys };
}
