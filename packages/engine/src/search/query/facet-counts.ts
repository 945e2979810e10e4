import { passes } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';
import { listsAt } from './columns.ts';
import type { Operator } from './operator.ts';
import { lowerBound } from './operators/values.ts';
import type { SegmentHits } from './ranking.ts';
import type { Searching } from './searching.ts';

/** What a facet counts in one segment. */
interface Counting {
  readonly segment: Segment;
  /** The documents whose values are counted. */
  readonly wanted: Uint8Array;
  /**
   * Returns the result to which a wanted document belongs: the document itself, or the one that contains it. A bucket
   * counts each result once.
   */
  readonly counted: (doc: number) => number;
}

/** The embedded documents whose values a facet counts: those at a path that match an operator. */
export interface FacetScope {
  readonly path: string;
  readonly operator: Operator;
}

/** The number of steps that each read from the file adds to the cost of a search. */
const READ = 50;
/** The number of steps that comparing two values takes. */
const COMPARISON = 8;
/** The approximate memory of a value and its count, besides its characters, in bytes. */
const COUNT_BYTES = 48;

/**
 * Returns what a facet counts: the results with any value in a bucket. With a scope, only values in embedded documents
 * that match its operator are considered.
 */
export function counting(
  found: readonly SegmentHits[],
  scope: FacetScope | undefined,
  search: Searching,
): Counting[] {
  return found.map(({ segment, hits }) => {
    if (scope === undefined) return { segment, wanted: hits.found, counted: (doc) => doc };
    const inner = scope.operator.hits(segment);
    inner.keep(search.domain(segment, scope.path));
    const parents = segment.parents();
    const rootOf = (doc: number) => {
      let at = doc;
      while (parents !== undefined && (parents[at] as number) >= 0) at = parents[at] as number;
      return at;
    };
    passes(segment.size);
    for (let doc = 0; doc < segment.size; doc++) {
      if (inner.found[doc] === 1 && hits.found[rootOf(doc)] === 0) inner.found[doc] = 0;
    }
    return { segment, wanted: inner.found, counted: rootOf };
  });
}

/**
 * Returns the values at a path with their number of documents, the most frequent first. `apart` is true if the
 * facet has terms of its own instead of those of the token field.
 */
export function countTerms(
  path: string,
  apart: boolean,
  all: readonly Counting[],
  search: Searching,
): ReadonlyArray<readonly [string, number]> {
  const counts = new Map<string, number>();
  for (const { segment, wanted, counted } of all) {
    for (const [term, { docs }] of segment.allPostings(apart ? keys.facet(path) : keys.token(path))) {
      search.spend(READ + docs.length);
      let [count, last] = [0, -1];
      for (const doc of docs) {
        if (wanted[doc] === 0) continue;
        // The embedded documents of a result are consecutive, so each result is counted once.
        const one = counted(doc);
        if (one !== last) count++;
        last = one;
      }
      if (count === 0) continue;
      const before = counts.get(term);
      if (before === undefined) search.hold(COUNT_BYTES + term.length);
      counts.set(term, (before ?? 0) + count);
    }
  }
  return [...counts].sort(([a, x], [b, y]) => {
    search.spend(COMPARISON);
    return y - x || (a < b ? -1 : 1);
  });
}

interface Ranges {
  readonly path: string;
  readonly type: 'number' | 'date';
  /** The boundaries of the buckets. */
  readonly numbers: readonly number[];
  /** True if arrays are not counted. */
  readonly ignoresLists: boolean;
}

const OUTSIDE = -1;

/**
 * Returns the number of results in each bucket. Also returns the number of results with a wanted document that is in no
 * bucket.
 */
export function countRanges(
  { path, type, numbers, ignoresLists }: Ranges,
  all: readonly Counting[],
  search: Searching,
): { readonly counts: number[]; readonly outside: number } {
  const counts = numbers.slice(1).map(() => 0);
  let outside = 0;
  for (const { segment, wanted, counted } of all) {
    const inside = new Uint8Array(segment.size);
    // For each document, the number of the bucket in which it was counted last. The first bucket is 1; 0 means none.
    const marks = new Int32Array(segment.size);
    const isNew = (doc: number, mark: number) => {
      const isMarked = marks[doc] === mark;
      marks[doc] = mark;
      return !isMarked;
    };
    const points = segment.points(keys[type](path));
    const lists = ignoresLists ? listsAt(segment, path) : undefined;
    for (let bucket = 0; points !== undefined && bucket < counts.length; bucket++) {
      search.spend(READ);
      let count = 0;
      const end = numbers[bucket + 1] as number;
      for (
        let at = lowerBound(points.values, numbers[bucket] as number);
        (points.values[at] as number) < end;
        at++
      ) {
        search.spend(1);
        const doc = points.docs[at] as number;
        if (wanted[doc] === 0 || lists?.[doc] === 1) continue;
        inside[doc] = 1;
        if (isNew(counted(doc), bucket + 1)) count++;
      }
      counts[bucket] = (counts[bucket] as number) + count;
    }
    passes(segment.size);
    for (let doc = 0; doc < segment.size; doc++) {
      if (wanted[doc] === 1 && inside[doc] === 0 && isNew(counted(doc), OUTSIDE)) outside++;
    }
  }
  return { counts, outside };
}
