import type { Services } from '../../services.ts';
import type { StoredSegment } from '../continuous/segment.ts';
import { mostHopeful } from '../vault/attempts.ts';
import { OplogVault } from '../vault/oplog-vault.ts';

/**
 * Reads segments out of the archive or, where they are lost there, out of a region with a copy; those of the region
 * `first` before the others.
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
  const vaults = stores.map((objects) => new OplogVault(objects, clusterId));
  return async (segment) => {
    const problems: unknown[] = [];
    for (const vault of vaults) {
      try {
        return await vault.content(segment);
      } catch (error) {
        problems.push(error);
        const reason = error instanceof Error ? error.message : String(error);
        if (vaults.length > 1) log.warn({ reason }, 'a segment of an oplog could not be read from one place');
      }
    }
    // Whoever has to try again is told of what may end well then.
    throw mostHopeful(problems);
  };
}
