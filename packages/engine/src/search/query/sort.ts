import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { step, steps } from '../../bson/turns.ts';
import { textOf, type Value } from '../../bson/value.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';
import { searchError } from './errors.ts';
import { intOf, Spec } from './spec.ts';

/** A sort order other than by score. */
export type SearchSort = readonly SortKey[];

interface SortKey {
  /** The path of the field; undefined to sort by score. */
  readonly path: string | undefined;
  readonly descending: boolean;
  /** True if null and missing values are greater than all others rather than less. */
  readonly noneHighest: boolean;
}

export function readSort(spec: Spec): SearchSort {
  const all = spec.names.map((name) => keyOf(name, spec.required(name), spec.name(name)));
  if (all.length === 0) throw searchError('"sort" cannot be empty');
  spec.finish();
  return all;
}

function keyOf(path: string, value: Value, name: string): SortKey {
  if (value.type !== bsonTypes.object)
    return { path, descending: directionOf(value, name), noneHighest: false };
  const spec = new Spec(documentOf(value), name);
  const meta = spec.oneOf('$meta', ['searchScore']);
  const order = spec.value('order');
  const noData = spec.oneOf('noData', ['lowest', 'highest']) ?? 'lowest';
  spec.finish();
  if (order === undefined && meta === undefined) throw searchError(`"${name}.order" is required`);
  const descending = order === undefined ? true : directionOf(order, `${name}.order`);
  if (meta !== undefined)
    return {
      path: undefined,
      descending: order === undefined || !descending ? order === undefined : true,
      noneHighest: false,
    };
  return { path, descending, noneHighest: noData === 'highest' };
}

function directionOf(value: Value, name: string): boolean {
  if (value.type === bsonTypes.string)
    throw searchError(`"${name}" must be 1 or -1, but is "${textOf(value)}"`);
  const direction = intOf(value, name);
  if (direction !== 1 && direction !== -1) throw searchError(`"${name}" must be 1 or -1`);
  return direction === -1;
}

/** A value to sort by: the rank of its type, and a number, date or term. */
type Rank = readonly [type: number, value: number | string];

export interface Sortable {
  readonly segment: Segment;
  readonly doc: number;
  readonly score: number;
}

/** Returns a function that compares two documents, which can be in different segments. */
export function comparing(
  sort: SearchSort,
  segments: readonly Segment[],
): (a: Sortable, b: Sortable) => number {
  const columns = sort.flatMap((key) => columnOf(key, segments) ?? []);
  return (a, b) => {
    for (const { key, column } of columns) {
      step();
      const order =
        column === undefined
          ? a.score - b.score
          : compareRanks(
              column.get(a.segment)?.get(a.doc) ?? none(key),
              column.get(b.segment)?.get(b.doc) ?? none(key),
            );
      if (order !== 0) return key.descending ? -order : order;
    }
    return a.segment.number - b.segment.number || a.doc - b.doc;
  };
}

interface Column {
  readonly key: SortKey;
  /** The ranks of documents by segment; undefined to sort by score. */
  readonly column: ReadonlyMap<Segment, ReadonlyMap<number, Rank>> | undefined;
}

/** The number of steps that looking up a sort key in a segment adds to the cost of a search. */
const FIND = 32;

/**
 * Reads the values of a sort key, unless it is the score. Returns undefined if no document has a value, because the key
 * would then not change the order.
 */
function columnOf(key: SortKey, segments: readonly Segment[]): Column | undefined {
  const { path } = key;
  if (path === undefined) return { key, column: undefined };
  steps(FIND * (segments.length + 1));
  const ranks = segments.map((segment) => [segment, ranksOf(segment, path, key)] as const);
  if (ranks.every(([, { size }]) => size === 0)) return undefined;
  return { key, column: new Map(ranks) };
}

/** Compares in ascending order. */
function compareRanks(a: Rank, b: Rank): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}

/** Returns the rank of null and of missing values, which are equal. */
function none({ noneHighest }: Pick<SortKey, 'noneHighest'>): Rank {
  return [noneHighest ? Number.POSITIVE_INFINITY : 0, ''];
}

/** The ranks of types, in BSON order. */
const types = { number: 2, string: 3, uuid: 4, objectId: 5, boolean: 6, date: 7 } as const;

/** The number of steps that comparing a value with the best one of its document takes. */
const OFFER = 8;

/** Returns the least or greatest value at a path in each document. */
function ranksOf(
  segment: Segment,
  path: string,
  { descending: greatest, noneHighest }: SortKey,
): ReadonlyMap<number, Rank> {
  const ranks = new Map<number, Rank>();
  const offer = (doc: number, rank: Rank) => {
    steps(OFFER);
    const before = ranks.get(doc);
    const order = before === undefined ? 0 : before[0] - rank[0] || (before[1] < rank[1] ? -1 : 1);
    if (before === undefined || (greatest ? order < 0 : order > 0)) ranks.set(doc, rank);
  };
  for (const kind of ['number', 'date'] as const) {
    const points = segment.points(keys[kind](path));
    points?.docs.forEach((doc, at) => {
      offer(doc, [types[kind], points.values[at] as number]);
    });
  }
  const terms = {
    string: keys.token(path),
    uuid: keys.uuid(path),
    objectId: keys.objectId(path),
    boolean: keys.boolean(path),
  } as const;
  for (const [kind, field] of Object.entries(terms)) {
    for (const [term, { docs }] of segment.allPostings(field)) {
      for (const doc of docs) offer(doc, [types[kind as keyof typeof terms], term]);
    }
  }
  for (const [, { docs }] of segment.allPostings(keys.nothing(path))) {
    for (const doc of docs) offer(doc, none({ noneHighest }));
  }
  return ranks;
}
