import { bool, date, double, string, type Value } from '../../bson/value.ts';
import { keys } from '../mapping/field.ts';
import type { Place } from './ranking.ts';
import type { Searching } from './searching.ts';

/** A value at a path, with the rank of its type in the order of BSON types. */
export interface Ranked {
  readonly rank: number;
  readonly key: number | string;
}

const [NUMBER, STRING, BOOLEAN, DATE] = [2, 3, 6, 7] as const;

/** All ranks are less than this number. */
const RANKS = 8;

/** The number of steps that each value adds to the cost of a search. */
const VALUE = 4;
/** The size of a value in a column, and of a term apart from its characters, in bytes. */
const [VALUE_BYTES, TERM_BYTES] = [16, 32] as const;

/**
 * The values at a path of all documents. The values of a document form a linked list in arrays of numbers. An object
 * for each value would take several times the memory.
 */
class Column {
  readonly #search: Searching;
  /** For each document, the number of the value that was added last. The first value has the number 1; 0 means none. */
  readonly #last: Int32Array;
  /** For each value, the number of the previous value of its document, times RANKS, plus its own rank. */
  readonly #links: number[] = [];
  /** For each value, the number or date itself, or the index of its term in `#terms`. */
  readonly #keys: number[] = [];
  readonly #terms: string[] = [];

  constructor(size: number, search: Searching) {
    search.hold(size * Int32Array.BYTES_PER_ELEMENT);
    search.spend(size / VALUE);
    this.#search = search;
    this.#last = new Int32Array(size);
  }

  /** Adds a term, and returns its key. */
  term(term: string): number {
    this.#search.hold(TERM_BYTES + term.length * 2);
    return this.#terms.push(term) - 1;
  }

  add(place: Place, rank: number, key: number): void {
    this.#search.spend(VALUE);
    this.#search.hold(VALUE_BYTES);
    this.#keys.push(key);
    this.#last[place] = this.#links.push((this.#last[place] as number) * RANKS + rank);
  }

  at(place: Place): Ranked[] {
    const values: Ranked[] = [];
    for (let at = this.#last[place] as number; at > 0; ) {
      const [link, key] = [this.#links[at - 1] as number, this.#keys[at - 1] as number];
      const rank = link % RANKS;
      const isTerm = rank === STRING || rank === BOOLEAN;
      values.push({ rank, key: isTerm ? (this.#terms[key] as string) : key });
      at = Math.floor(link / RANKS);
    }
    this.#search.spend(1 + values.length);
    return values;
  }
}

/** Returns a function that returns the indexed numbers, dates, strings and booleans at a path of a document. */
export function valuesAt(path: string, search: Searching): (place: Place) => readonly Ranked[] {
  const column = search.once(`facet column ${path}`, () => columnOf(path, search));
  return (place) => column.at(place);
}

function columnOf(path: string, search: Searching): Column {
  const column = new Column(
    search.segments.reduce((sum, { size }) => sum + size, 0),
    search,
  );
  let base = 0;
  for (const segment of search.segments) {
    for (const [rank, field] of [
      [NUMBER, keys.number(path)],
      [DATE, keys.date(path)],
    ] as const) {
      const points = segment.points(field);
      points?.docs.forEach((doc, at) => {
        column.add(base + doc, rank, points.values[at] as number);
      });
    }
    for (const [rank, field] of [
      [STRING, keys.token(path)],
      [BOOLEAN, keys.boolean(path)],
    ] as const) {
      for (const [term, { docs }] of segment.allPostings(field)) {
        const key = column.term(term);
        for (const doc of docs) column.add(base + doc, rank, key);
      }
    }
    base += segment.size;
  }
  return column;
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
