import { passes } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import type { VectorMapping } from '../mapping/field.ts';
import { type Vector, vectorKey } from '../mapping/vectors.ts';
import { Best } from './best.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';

/** The vector to search for. */
export interface Wanted {
  readonly path: string;
  readonly vector: Vector;
  readonly mapping: VectorMapping;
  readonly limit: number;
}

/** Throws if the vector cannot be compared with the vectors of the field. */
export function checkVector(
  { kind, values }: Vector,
  { dimensions, similarity }: VectorMapping,
  at: string,
): void {
  if (values.length !== dimensions) {
    throw searchError(
      `vector field is indexed with ${dimensions} dimensions but queried with ${values.length} (${at})`,
    );
  }
  if (!values.every(Number.isFinite)) throw searchError(`"${at}" cannot have elements that are not finite`);
  if (kind === 'bit' && similarity !== 'euclidean')
    throw searchError(`"${at}" of bits requires euclidean similarity`);
  if (similarity === 'cosine' && !values.some((one) => one !== 0)) {
    throw searchError(`"${at}" cannot be a zero vector with cosine similarity`);
  }
}

/**
 * Finds the nearest vectors of a field by comparing all of them. A document has the score of its nearest vector. Only
 * documents that `allowed` returns are compared.
 */
export function nearest(
  segments: readonly Segment[],
  { path, vector, mapping, limit }: Wanted,
  allowed: (segment: Segment) => Uint8Array,
  check: () => void,
): ReadonlyMap<Segment, Hits> {
  const found = segments.map((segment) => new Hits(segment.size));
  const best = limit === Number.POSITIVE_INFINITY ? undefined : new Best(limit);
  segments.forEach((segment, number) => {
    const kept = segment.vectors(vectorKey(path, vector.kind));
    if (kept === undefined) return;
    check();
    const wanted = allowed(segment);
    const all = found[number] as Hits;
    const take =
      best === undefined ? all.set.bind(all) : (doc: number, score: number) => best.offer(score, number, doc);
    eachBest(kept.docs, compare(kept.values, vector, mapping), wanted, take);
  });
  for (const { score, from, doc } of best?.entries() ?? []) found[from]?.set(doc, score);
  return new Map(segments.map((segment, number) => [segment, found[number] as Hits]));
}

/** Returns the best score of each allowed document. The vectors of a document are adjacent. */
function eachBest(
  docs: Int32Array,
  scores: Float32Array,
  wanted: Uint8Array,
  take: (doc: number, score: number) => void,
): void {
  passes(docs.length);
  let at = 0;
  while (at < docs.length) {
    const doc = docs[at] as number;
    let score = scores[at] as number;
    for (at++; at < docs.length && docs[at] === doc; at++) score = Math.max(score, scores[at] as number);
    if (wanted[doc] === 1) take(doc, score);
  }
}

/** Returns scores from 0 to 1 for the vectors in an array. */
function compare(all: Float32Array, { values, kind }: Vector, { similarity }: VectorMapping): Float32Array {
  const { length } = values;
  const count = length === 0 ? 0 : all.length / length;
  const scores = new Float32Array(count);
  if (kind === 'bit') {
    for (let i = 0; i < count; i++) scores[i] = (length - squares(all, i * length, values)) / length;
  } else if (similarity === 'euclidean') {
    for (let i = 0; i < count; i++) scores[i] = 1 / (1 + squares(all, i * length, values));
  } else if (similarity === 'dotProduct') {
    const scale = kind === 'int8' ? length * 2 ** 15 : 1;
    for (let i = 0; i < count; i++) {
      const product = dot(all, i * length, values);
      scores[i] = kind === 'int8' ? 0.5 + product / scale : Math.max(0, (1 + product) / 2);
    }
  } else cosines(all, values, scores);
  return scores;
}

function cosines(all: Float32Array, values: Float32Array, scores: Float32Array): void {
  const { length } = values;
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  // Divides by the largest element, because squares of large numbers could overflow.
  const scaled = values.map((value) => value / largest);
  const own = Math.sqrt(dot(scaled, 0, scaled));
  for (let i = 0; i < scores.length; i++) {
    let product = 0;
    let square = 0;
    passes(length);
    const from = i * length;
    for (let at = 0; at < length; at++) {
      const other = all[from + at] as number;
      product += other * (scaled[at] as number);
      square += other * other;
    }
    scores[i] = square === 0 ? 0 : (1 + product / (own * Math.sqrt(square))) / 2;
  }
}

function dot(all: Float32Array, from: number, values: Float32Array): number {
  let product = 0;
  passes(values.length);
  for (let at = 0; at < values.length; at++) product += (all[from + at] as number) * (values[at] as number);
  return product;
}

function squares(all: Float32Array, from: number, values: Float32Array): number {
  let sum = 0;
  passes(values.length);
  for (let at = 0; at < values.length; at++) {
    const difference = (all[from + at] as number) - (values[at] as number);
    sum += difference * difference;
  }
  return sum;
}
