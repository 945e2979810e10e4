import type { DeploymentSpec, MemberSpec } from './interface/engine.ts';

/**
 * Returns a member for tests. Without other properties, the member is electable, and equal to the other members except
 * for its id.
 */
export function memberSpec(index: number, more: Partial<MemberSpec> = {}): MemberSpec {
  const id = `shard-00-0${index}`;
  return { id, shard: 0, kind: 'electable', provider: 'AWS', region: 'EU_WEST_1', priority: 7, ...more };
}

/** Returns a deployment of three members. It has no users or addresses unless they are given. */
export function deploymentSpec(more: Partial<DeploymentSpec> = {}): DeploymentSpec {
  return {
    id: '6500000000000000000000a1',
    clusterName: 'cluster-1',
    replicaSetName: 'set-1-shard-0',
    majorVersion: '8.0',
    version: '8.0.4',
    members: [memberSpec(0), memberSpec(1), memberSpec(2)],
    access: { revision: 1, users: [], addresses: [] },
    ...more,
  };
}
