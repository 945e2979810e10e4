import { bool, date, double, string, type Value } from '../../bson/value.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';
import type { Searching } from './searching.ts';

/** A value at a path, with the rank of its type in the order of BSON types. */
export interface Ranked {
  readonly rank: number;
  readonly key: number | string;
}

/** The values at a path of each document of a segment that has any. */
export type Column = ReadonlyMap<number, readonly Ranked[]>;

const [NUMBER, STRING, BOOLEAN, DATE] = [2, 3, 6, 7] as const;

/** The number of steps that each value adds to the cost of a search. */
const VALUE = 4;

/** Returns the indexed numbers, dates, strings and booleans at a path. */
export function columnAt(segment: Segment, path: string, search: Searching): Column {
  return search.once(`facet column ${segment.number} ${path}`, () => {
    const column = new Map<number, Ranked[]>();
    const add = (doc: number, rank: number, key: number | string) => {
      search.spend(VALUE);
      const own = column.get(doc);
      if (own === undefined) column.set(doc, [{ rank, key }]);
      else own.push({ rank, key });
    };
    for (const [rank, field] of [
      [NUMBER, keys.number(path)],
      [DATE, keys.date(path)],
    ] as const) {
      const points = segment.points(field);
      points?.docs.forEach((doc, at) => {
        add(doc, rank, points.values[at] as number);
      });
    }
    for (const [rank, field] of [
      [STRING, keys.token(path)],
      [BOOLEAN, keys.boolean(path)],
    ] as const) {
      for (const [term, { docs }] of segment.allPostings(field)) for (const doc of docs) add(doc, rank, term);
    }
    return column;
  });
}

export function numbersIn(values: readonly Ranked[]): number[] {
  return values.flatMap(({ rank, key }) => (rank === NUMBER && typeof key === 'number' ? [key] : []));
}

/** Returns the dates, in milliseconds since 1970. */
export function datesIn(values: readonly Ranked[]): number[] {
  return values.flatMap(({ rank, key }) => (rank === DATE && typeof key === 'number' ? [key] : []));
}

export function stringsIn(values: readonly Ranked[]): string[] {
  return values.flatMap(({ rank, key }) => (rank === STRING && typeof key === 'string' ? [key] : []));
}

/** Returns the values of the types that facets can group and compare. */
export function comparableIn(values: readonly Ranked[]): readonly Ranked[] {
  return values.filter(({ rank }) => rank !== BOOLEAN);
}

/** Compares in the order of BSON types, and values of one type by value. */
export function compareRanked(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

export function valueFrom({ rank, key }: Ranked): Value {
  if (typeof key === 'string') return rank === BOOLEAN ? bool(key === 'true') : string(key);
  return rank === DATE ? date(BigInt(key)) : double(key);
}
