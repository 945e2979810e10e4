import type { Segment } from '../file/segment.ts';
import type { VectorMapping } from '../mapping/field.ts';
import { type Vector, vectorKey } from '../mapping/vectors.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';

/** Which vectors are looked for. */
export interface Wanted {
  readonly path: string;
  readonly vector: Vector;
  readonly mapping: VectorMapping;
  readonly limit: number;
}

/** Throws for a vector that cannot be compared with those of a field. */
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
 * The nearest vectors of a field, all of them compared: a document scores by the nearest it has. `allowed` says which
 * documents count in a segment.
 */
export function nearest(
  segments: readonly Segment[],
  { path, vector, mapping, limit }: Wanted,
  allowed: (segment: Segment) => Uint8Array,
  check: () => void,
): ReadonlyMap<Segment, Hits> {
  const found = new Map<Segment, Hits>();
  const best: Array<{ segment: Segment; doc: number; score: number }> = [];
  for (const segment of segments) {
    const hits = new Hits(segment.size);
    found.set(segment, hits);
    const kept = segment.vectors(vectorKey(path, vector.kind));
    if (kept === undefined) continue;
    check();
    const scores = compare(kept.values, vector, mapping);
    const wanted = allowed(segment);
    for (let at = 0; at < scores.length; at++) {
      const doc = kept.docs[at] as number;
      const score = scores[at] as number;
      if (wanted[doc] === 0) continue;
      if (hits.found[doc] === 0 || score > (hits.scores[doc] as number)) hits.set(doc, score);
    }
    for (let doc = 0; doc < segment.size; doc++) {
      if (hits.found[doc] === 1) best.push({ segment, doc, score: hits.scores[doc] as number });
    }
  }
  if (best.length > limit) {
    best.sort((a, b) => b.score - a.score || a.segment.number - b.segment.number || a.doc - b.doc);
    for (const { segment, doc } of best.slice(limit)) (found.get(segment) as Hits).found[doc] = 0;
  }
  return found;
}

/** Scores from 0 to 1 of vectors that lie one behind the other. */
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
  // Scaled, so that squares of large numbers stay finite.
  const scaled = values.map((value) => value / largest);
  const own = Math.sqrt(dot(scaled, 0, scaled));
  for (let i = 0; i < scores.length; i++) {
    let [product, square] = [0, 0];
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
  for (let at = 0; at < values.length; at++) product += (all[from + at] as number) * (values[at] as number);
  return product;
}

function squares(all: Float32Array, from: number, values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) {
    const difference = (all[from + at] as number) - (values[at] as number);
    sum += difference * difference;
  }
  return sum;
}
