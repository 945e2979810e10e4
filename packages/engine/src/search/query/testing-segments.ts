import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';

/** Creates a segment in memory whose documents have one number each at a path, in ascending order. */
export function numberedSegment(size: number, path: string): Segment {
  const docs = Int32Array.from({ length: size }, (_, at) => at);
  const points = { docs, values: Float64Array.from(docs) };
  return {
    number: 1,
    size,
    points: (field: string) => (field === keys.number(path) ? points : undefined),
    postings: () => undefined,
    allPostings: () => [],
    lengths: () => undefined,
    lives: () => true,
    parents: () => undefined,
    // The other members are missing, because the tested functions do not use them.
  } as unknown as Segment;
}
