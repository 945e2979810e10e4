import type { ClusterModel } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';

/** Throws for a cluster that is protected. */
export function assertDeletable({ name, groupId, spec }: ClusterModel): void {
  if (spec.kept.terminationProtectionEnabled !== true) return;
  throw clusterFaults.CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED(name, groupId);
}
