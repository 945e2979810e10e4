import type { Deployment } from '@portolan/engine/interface/engine';
import { NotYet } from '../../../tasks/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

/** Until the members are back that were stopped, or somebody goes on without them. */
const WAIT_MS = 500;
const DAY_MS = 86_400_000;

/**
 * Whether somebody has accepted today that nodes are changed without a majority of them: writes that only the missing
 * ones have may be lost (contract 2.15).
 */
export function isForced({ spec }: Pick<ClusterModel, 'spec'>, now: Date): boolean {
  const { acceptDataRisksAndForceReplicaSetReconfig: accepted } = spec.settings;
  return accepted !== undefined && Math.abs(new Date(accepted).getTime() - now.getTime()) <= DAY_MS;
}

/** Throws `NotYet` while too few members run to agree on a change. */
export function waitForMajority(cluster: ClusterModel, deployment: Deployment, now: Date): void {
  if (awaitsMajority(cluster, deployment, now)) {
    throw new NotYet(WAIT_MS, 'a majority of the nodes of a replica set is missing');
  }
}

/** Whether a change waits until members are back that are stopped; those that are to pause need not agree. */
export function awaitsMajority(cluster: ClusterModel, deployment: Deployment, now: Date): boolean {
  const { members, primaries, stopped = [] } = deployment;
  if (stopped.length === 0 || cluster.paused || isForced(cluster, now)) return false;
  const shards = new Set(members.flatMap(({ id }) => /^shard-\d+/.exec(id) ?? []));
  return primaries.length < shards.size;
}
