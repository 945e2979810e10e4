import type { Deployment } from '@portolan/engine/interface/engine';
import { NotYet } from '../../../tasks/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

/** Polling interval while a change waits for a majority, or for a caller who forces the change. */
const WAIT_MS = 500;
const DAY_MS = 86_400_000;

/**
 * Whether a caller has forced a reconfiguration without a majority of nodes within the last day. Such a reconfiguration
 * may lose writes that only the missing nodes have (docs/contract/api.md 2.15).
 */
export function isForced({ spec }: Pick<ClusterModel, 'spec'>, now: Date): boolean {
  const { acceptDataRisksAndForceReplicaSetReconfig: accepted } = spec.settings;
  return accepted !== undefined && Math.abs(new Date(accepted).getTime() - now.getTime()) <= DAY_MS;
}

/** Throws `NotYet` while fewer members run than a majority needs. */
export function waitForMajority(cluster: ClusterModel, deployment: Deployment, now: Date): void {
  if (awaitsMajority(cluster, deployment, now)) {
    throw new NotYet(WAIT_MS, 'a majority of the nodes of a replica set is missing');
  }
}

/** Whether a change must wait until stopped members run again. A pause needs no majority. */
export function awaitsMajority(cluster: ClusterModel, deployment: Deployment, now: Date): boolean {
  const { members, primaries, stopped = [] } = deployment;
  if (stopped.length === 0 || cluster.paused || isForced(cluster, now)) return false;
  const shards = new Set(members.flatMap(({ id }) => /^shard-\d+/.exec(id) ?? []));
  return primaries.length < shards.size;
}
