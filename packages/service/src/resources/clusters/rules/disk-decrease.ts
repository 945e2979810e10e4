import { within } from '@portolan/foundation/wait';
import type { Services } from '../../services.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { diskFaults } from './faults.ts';

const GB = 1024 ** 3;

/**
 * Time limit of the call in milliseconds. A healthy host replies within a few milliseconds. The request must not wait
 * for a host that is suspended.
 */
const TIMEOUT_MS = 10_000;

export function isDecrease(before: ClusterSpec, after: ClusterSpec): boolean {
  return after.diskSizeGB < before.diskSizeGB;
}

/**
 * Returns the bytes of data and indexes. Undefined if the size is unknown, because the cluster is paused or its host is
 * unreachable.
 */
export async function storedBytes(
  { id, host }: ClusterModel,
  { engines, machine }: Pick<Services, 'engines' | 'machine'>,
): Promise<number | undefined> {
  if (!engines.reachable().includes(host)) return undefined;
  const reply = engines.at(host).run(id, { listDatabases: 1, $db: 'admin' });
  const answer = await within(
    machine,
    TIMEOUT_MS,
    reply.catch(() => undefined),
  );
  return answer?.ok === 1 ? Number(answer.totalSize) : undefined;
}

/** Throws if the new disks are too small for the data. Every shard has a disk of the new size. */
export function checkDecrease(before: ClusterSpec, after: ClusterSpec, stored: number | undefined): void {
  if (!isDecrease(before, after)) return;
  if (stored === undefined) throw diskFaults.CANNOT_DECREASE_DISK_SIZE();
  const shards = after.zones.reduce((sum, { numShards }) => sum + numShards, 0);
  if (stored > after.diskSizeGB * GB * shards) throw diskFaults.DISK_SIZE_GB_TOO_SMALL();
}
