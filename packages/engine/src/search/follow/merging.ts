import { inBatches } from '@portolan/foundation/in-batches';
import type { Connection } from '../../storage/file/connection.ts';
import { decodeStrings, hasBit } from '../file/codec.ts';
import { parentsOf } from '../file/segment-writer.ts';

/** Number of segments of similar size that are merged into one. */
const TOGETHER = 8;
const GROWTH = 8;
const SMALLEST = 500;
const LARGEST = 50_000;
const BATCH = 200;

interface SegmentSize {
  readonly number: number;
  readonly living: number;
  readonly roots: number;
}

/**
 * Yields batches of document keys from small segments that should be merged, or from a segment whose
 * documents are mostly deleted. The caller indexes these documents again, which moves them to a new segment.
 * Segments without documents are removed.
 */
export function nextToMerge(
  connection: Connection,
  generation: number,
): Iterator<readonly Uint8Array[]> | undefined {
  const segments = connection
    .all<[number, number, number]>(
      'SELECT number, roots - dead, roots FROM segments WHERE generation = ?',
      generation,
    )
    .map(([number, living, roots]): SegmentSize => ({ number, living, roots }));
  const chosen = chooseToMerge(segments);
  return chosen.length === 0 ? undefined : keysOf(connection, chosen);
}

function chooseToMerge(segments: readonly SegmentSize[]): readonly SegmentSize[] {
  for (let most = SMALLEST; most <= LARGEST; most *= GROWTH) {
    const small = segments.filter(({ living }) => living <= most);
    if (small.length >= TOGETHER) return small;
  }
  const hollow = segments.find(({ living, roots }) => living * 2 < roots);
  return hollow === undefined ? [] : [hollow];
}

function* keysOf(connection: Connection, segments: readonly SegmentSize[]): Generator<readonly Uint8Array[]> {
  for (const { number } of segments) {
    const row = connection.get<[Uint8Array, Uint8Array | null]>(
      `SELECT data, deleted FROM parts, segments
       WHERE segment = ? AND kind = 'keys' AND field = -1 AND segments.number = segment`,
      number,
    );
    if (row === undefined) continue;
    const [data, deleted] = row;
    const parents = parentsOf(connection, number);
    const keys = decodeStrings(data).filter(
      (_, at) => (parents?.[at] ?? -1) < 0 && (deleted === null || !hasBit(deleted, at)),
    );
    yield* inBatches(keys, BATCH);
  }
}
