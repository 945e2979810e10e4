import { errorMessage } from '@portolan/foundation/thrown';
import type { Services } from '../../services.ts';
import { mostRetryable } from '../chunk-store/attempts.ts';
import { SegmentStore } from '../chunk-store/segment-store.ts';
import type { StoredSegment } from '../model/oplog/segment.ts';

/**
 * Returns a function that reads segments from the archive, or from regions with copies if the archive is damaged.
 * `first` is the region to try before all others.
 */
export function oplogReader(
  { snapshots, copies, log }: Pick<Services, 'snapshots' | 'copies' | 'log'>,
  clusterId: string,
  regions: readonly string[],
  first: string | undefined,
): (segment: StoredSegment) => Promise<Uint8Array> {
  const inOrder = [...regions].sort((one, other) => Number(other === first) - Number(one === first));
  const others = inOrder.map(copies);
  const stores =
    inOrder[0] === first && first !== undefined
      ? [...others.slice(0, 1), snapshots, ...others.slice(1)]
      : [snapshots, ...others];
  const segmentStores = stores.map((objects) => new SegmentStore(objects, clusterId));
  return async (segment) => {
    const problems: unknown[] = [];
    for (const segmentStore of segmentStores) {
      try {
        return await segmentStore.content(segment);
      } catch (error) {
        problems.push(error);
        const reason = errorMessage(error);
        if (segmentStores.length > 1)
          log.warn({ reason }, 'oplog segment could not be read from one of its sources');
      }
    }
    // The number of retries of the task depends on this error.
    throw mostRetryable(problems);
  };
}
