import { passes, step } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import type { Hits } from './hits.ts';
import { comparing, type SearchSort, type Sortable } from './sort.ts';

/** Search results in the order of their return. */
export interface Ranking {
  readonly count: number;
  /** Yields the results in order. They are sorted only as far as they are read. */
  entries(): Iterable<Sortable>;
}

/** The number of a document among the documents of all segments of a search. */
export type Place = number;

export interface SegmentHits {
  readonly segment: Segment;
  readonly hits: Hits;
}

export function ranking(all: readonly SegmentHits[], sort: SearchSort | undefined): Ranking {
  let count = 0;
  for (const { hits } of all) {
    passes(hits.found.length);
    for (const one of hits.found) count += one;
  }
  if (sort !== undefined) return sorted(all, sort, count);
  return { count, entries: () => byScore(all, count) };
}

function sorted(all: readonly SegmentHits[], sort: SearchSort, count: number): Ranking {
  const compare = comparing(
    sort,
    all.map(({ segment }) => segment),
  );
  const entries: Sortable[] = [];
  for (const { segment, hits } of all) {
    passes(segment.size);
    for (let doc = 0; doc < segment.size; doc++) {
      if (hits.found[doc] === 1) entries.push({ segment, doc, score: hits.scores[doc] as number });
    }
  }
  entries.sort(compare);
  return { count, entries: () => entries };
}

/**
 * Yields results by descending score. Among results with equal scores, those that were indexed first come first. A
 * heap sorts the results only as far as they are read.
 */
function* byScore(all: readonly SegmentHits[], count: number): Generator<Sortable> {
  const places = new Int32Array(count);
  const scores = new Float32Array(count);
  const offsets: number[] = [];
  let [at, offset] = [0, 0];
  for (const { segment, hits } of all) {
    offsets.push(offset);
    passes(segment.size);
    for (let doc = 0; doc < segment.size; doc++) {
      if (hits.found[doc] === 0) continue;
      places[at] = offset + doc;
      scores[at] = hits.scores[doc] as number;
      at++;
    }
    offset += segment.size;
  }
  const heap = new Heap(places, scores);
  for (let left = count; left > 0; left--) {
    const [place, score] = heap.take();
    let own = offsets.length - 1;
    while ((offsets[own] as number) > place) own--;
    yield { segment: (all[own] as SegmentHits).segment, doc: place - (offsets[own] as number), score };
  }
}

class Heap {
  readonly #places: Int32Array;
  readonly #scores: Float32Array;
  #size: number;

  constructor(places: Int32Array, scores: Float32Array) {
    this.#places = places;
    this.#scores = scores;
    this.#size = places.length;
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  take(): readonly [place: number, score: number] {
    const best = [this.#places[0] as number, this.#scores[0] as number] as const;
    this.#size--;
    this.#swap(0, this.#size);
    this.#sink(0);
    return best;
  }

  #sink(from: number): void {
    step();
    let at = from;
    for (;;) {
      let best = at;
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      if (left < this.#size && this.#before(left, best)) best = left;
      if (right < this.#size && this.#before(right, best)) best = right;
      if (best === at) return;
      this.#swap(at, best);
      at = best;
    }
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#scores[a] as number, this.#scores[b] as number];
    return x > y || (x === y && (this.#places[a] as number) < (this.#places[b] as number));
  }

  #swap(a: number, b: number): void {
    const [place, score] = [this.#places[a] as number, this.#scores[a] as number];
    this.#places[a] = this.#places[b] as number;
    this.#scores[a] = this.#scores[b] as number;
    this.#places[b] = place;
    this.#scores[b] = score;
  }
}
