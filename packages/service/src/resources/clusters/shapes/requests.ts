import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { asksToPause, asksToResume, isResumption } from '../rules/pause.ts';
import { checkReleaseSystem, checkTenantUpdate } from '../rules/updates.ts';
import { carriedBody } from './carried.ts';
import { readNewCluster } from './contract/read.ts';
import type { Cluster } from './contract/schema.ts';
import { changesIn, readUpdate } from './contract/update.ts';
import type { ClusterView } from './contract/write.ts';
import { changesInRegionConfigs } from './region-configs/changes.ts';
import { readNewRegionConfigs, readRegionConfigsUpdate } from './region-configs/requests.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';
import { assertNoZones } from './zone-ids.ts';

/** Bodies in whatever shape. `newId` names the zones. */

export function readCreate(body: Cluster, newId: () => string): { name: string; spec: ClusterSpec } {
  const given = carriedBody(body);
  // In the shape with an entry for each shard ids are read-only fields, which are checked where all of those are.
  if (given?.kind !== 'shards') assertNoZones((given?.body ?? body).replicationSpecs);
  return given ? readNewRegionConfigs(given, newId) : readNewCluster(body, newId);
}

/** What a body asks of a cluster: a pause, another `spec`, or nothing. */
export interface Patch {
  readonly pauses: boolean;
  readonly resumes: boolean;
  readonly spec?: ClusterSpec;
}

/** `shown`: what its caller reads of the cluster. Throws for what it cannot be asked. */
export function readPatch(
  body: Cluster,
  {
    cluster,
    shown,
    now,
  }: { readonly cluster: ClusterModel; readonly shown: ClusterView; readonly now: Date },
  newId: () => string,
): Patch {
  const given = carriedBody(body);
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  // Of a pause the whole body counts: not even a field that stays as it is may stand beside it.
  if (asksToPause(given?.body ?? body, cluster, now)) return { pauses: true, resumes: false };
  const changes = given ? changesInRegionConfigs(given, shown) : changesIn(body, shown);
  const resumes = asksToResume(changes, cluster);
  if (!resumes && isResumption(changes)) return { pauses: false, resumes };
  checkReleaseSystem(given?.body ?? body, cluster.spec);
  const spec = given
    ? readRegionConfigsUpdate({ ...given, body: changes as RegionConfigsCluster }, cluster, newId)
    : readUpdate(changes as Cluster, cluster, newId);
  checkTenantUpdate(cluster.spec, spec);
  return { pauses: false, resumes, spec };
}
