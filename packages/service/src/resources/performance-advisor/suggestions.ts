import { derivedId } from '@portolan/foundation/derived-id';
import { Turns } from '@portolan/foundation/turns';
import { filterOf, type SlowQuery, sortOf } from './slow-query.ts';

/** Slow operations that search a collection by the same fields in the same way. */
export interface Shape {
  /** An id of 24 hexadecimal digits, which is computed from the shape. */
  readonly id: string;
  readonly namespace: string;
  /** Fields and directions of the index that would serve the shape. */
  readonly keys: readonly IndexKey[];
  readonly queries: readonly SlowQuery[];
  /** The time of the operations, in milliseconds. */
  readonly millis: number;
  /** The part of `millis` that the operations spent on documents that they did not return. */
  readonly wastedMillis: number;
}

/** A shape whose operations are not all known yet. */
type Growing = { -readonly [K in keyof Shape]: Shape[K] } & { readonly queries: SlowQuery[] };

export type IndexKey = readonly [field: string, direction: 1 | -1];

export interface SuggestedIndex {
  readonly id: string;
  readonly namespace: string;
  readonly keys: readonly IndexKey[];
  readonly shapes: readonly Shape[];
  /**
   * The percentage of the time of all slow operations that the index would save. It is computed from the time that the
   * operations spent on documents that they did not return.
   */
  readonly weight: number;
}

/** An index is suggested if more than this many documents are examined for each returned document. */
const EXAMINED_PER_RETURNED = 10;
/**
 * Maximum number of fields of a suggested index. The database allows 32 fields, but more than eight do not make queries
 * faster.
 */
const MAX_KEYS = 8;
/** Maximum number of shapes for which indexes are suggested. Comparing all of them with each other takes some 50 ms. */
const MAX_SHAPES = 1000;
/** Number of comparisons of shapes or indexes that take about 5 µs, the unit of `Turns`. */
const COMPARISONS_PER_TURN = 100;

const isInefficient = ({ docsExamined, nreturned = 0 }: SlowQuery) =>
  docsExamined > EXAMINED_PER_RETURNED * Math.max(nreturned, 1);

/**
 * Returns the shapes of slow operations that examine many documents for each document that they return. The shape whose
 * operations took the most time comes first. Of more than `MAX_SHAPES` shapes, returns the first ones. Pauses for other
 * requests, because the log of a node can contain tens of thousands of slow operations.
 */
export async function shapesOf(queries: readonly SlowQuery[]): Promise<readonly Shape[]> {
  const shapes = new Map<string, Growing>();
  const turns = new Turns();
  for (const query of queries) {
    await turns.take(1);
    const keys = isInefficient(query) ? indexKeys(query) : [];
    if (keys.length === 0) continue;
    const { namespace } = query;
    const id = idOf(namespace, keys);
    const shape = shapes.get(id) ?? { id, namespace, keys, queries: [], millis: 0, wastedMillis: 0 };
    shapes.set(id, shape);
    shape.queries.push(query);
    shape.millis += query.millis;
    shape.wastedMillis += wastedMillis(query);
  }
  return [...shapes.values()].toSorted((one, other) => other.millis - one.millis).slice(0, MAX_SHAPES);
}

/**
 * Suggests an index for the shapes that no existing index serves. `existing` returns the keys of each index
 * of a collection.
 */
export async function suggestedIndexes(
  shapes: readonly Shape[],
  allMillis: number,
  existing: (namespace: string) => ReadonlyArray<readonly IndexKey[]>,
): Promise<readonly SuggestedIndex[]> {
  const turns = new Turns();
  const pause = (comparisons: number) => turns.take(1 + comparisons / COMPARISONS_PER_TURN);
  const unserved: Shape[] = [];
  for (const shape of shapes) {
    const indexes = existing(shape.namespace);
    await pause(indexes.length);
    if (indexes.every((index) => !startsWith(index, shape.keys))) unserved.push(shape);
  }
  const suggested: SuggestedIndex[] = [];
  for (const shape of unserved) {
    await pause(2 * unserved.length);
    const { id, namespace, keys } = shape;
    // Keep only the widest keys, because an index also serves all shapes whose keys are a prefix of its keys.
    if (unserved.some((other) => other.keys.length > keys.length && isPrefixOf(shape, other))) continue;
    const served = unserved.filter((other) => isPrefixOf(other, shape));
    suggested.push({ id, namespace, keys, shapes: served, weight: weightOf(served, allMillis) });
  }
  return suggested.toSorted((one, other) => other.weight - one.weight);
}

const isPrefixOf = (one: Shape, other: Shape) =>
  one.namespace === other.namespace && startsWith(other.keys, one.keys);

const startsWith = (index: readonly IndexKey[], keys: readonly IndexKey[]) =>
  keys.every(([field], at) => index[at]?.[0] === field);

function weightOf(shapes: readonly Shape[], allMillis: number): number {
  if (allMillis === 0) return 0;
  return (100 * shapes.reduce((sum, shape) => sum + shape.wastedMillis, 0)) / allMillis;
}

const wastedMillis = ({ millis, docsExamined, nreturned = 0 }: SlowQuery) =>
  millis * (1 - Math.min(nreturned, docsExamined) / docsExamined);

/**
 * Returns the keys of an index for an operation, in this order: the fields that the operation compares for equality,
 * the fields by which it sorts, and the fields for which it has a range.
 */
function indexKeys({ command }: SlowQuery): readonly IndexKey[] {
  const { equal, ranges } = fieldsIn(filterOf(command));
  const sorted = Object.entries(sortOf(command)).flatMap(([field, direction]): IndexKey[] =>
    direction === 1 || direction === -1 ? [[field, direction]] : [],
  );
  const keys = new Map<string, IndexKey>();
  for (const key of [...equal.toSorted().map(ascending), ...sorted, ...ranges.toSorted().map(ascending)])
    if (!keys.has(key[0])) keys.set(key[0], key);
  // Suggest no index for an operation that sorts without a filter, because the operation reads the whole collection
  // even with an index.
  return equal.length + ranges.length === 0 ? [] : [...keys.values()].slice(0, MAX_KEYS);
}

const ascending = (field: string): IndexKey => [field, 1];

interface FilterFields {
  readonly equal: string[];
  readonly ranges: string[];
}

/**
 * Returns the fields of a filter, including those in conjunctions. Skips `$or`, since each of its branches would need
 * its own index.
 */
function fieldsIn(filter: object, found: FilterFields = { equal: [], ranges: [] }): FilterFields {
  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$and' && Array.isArray(condition)) {
      for (const part of condition) fieldsIn(Object(part), found);
    } else if (!field.startsWith('$') && field !== '_id') {
      (isEquality(condition) ? found.equal : found.ranges).push(field);
    }
  }
  return found;
}

function isEquality(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return true;
  const operators = Object.keys(condition).filter((name) => name.startsWith('$'));
  if (operators.length === 0) return true;
  // Values such as `{ $oid: '…' }`, which represent types that JSON lacks, look like operators but are compared for
  // equality.
  return operators.every((name) => name === '$eq' || name === '$in' || valueTypes.has(name));
}

const valueTypes: ReadonlySet<string> = new Set([
  ...['$binary', '$date', '$maxKey', '$minKey', '$numberDecimal', '$numberDouble', '$numberInt'],
  ...['$numberLong', '$oid', '$symbol', '$timestamp', '$undefined', '$uuid'],
]);

function idOf(namespace: string, keys: readonly IndexKey[]): string {
  return derivedId(JSON.stringify([namespace, keys]));
}
