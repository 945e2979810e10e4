import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { readChanges } from '../rules/changed-fields.ts';
import { isResumption, requestsPause, requestsResumption } from '../rules/pause.ts';
import { checkReleaseSystem, checkTenantUpdate } from '../rules/updates.ts';
import { carriedBody } from './carried.ts';
import { readNewCluster } from './contract/read.ts';
import type { Cluster } from './contract/schema.ts';
import { changesIn, readUpdate } from './contract/update.ts';
import type { ClusterView } from './contract/write.ts';
import { changesInRegionConfigs } from './region-configs/changes.ts';
import {
  type Keeping,
  keptBody,
  withCurrentSizes,
  withFormerRequest,
  withRequested,
} from './region-configs/requested.ts';
import { readNewRegionConfigs, readRegionConfigsUpdate } from './region-configs/requests.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';
import { asNewCluster, asNewRegionConfigs } from './required.ts';
import { assertNoZones } from './zone-ids.ts';

/** This file reads bodies in any shape. `newId` returns ids for new zones. */

interface NewCluster {
  readonly name: string;
  readonly spec: ClusterSpec;
}

const nothing: Keeping = { sizes: false, specs: false };

/** `keeping`: what the cluster keeps of the request (see `region-configs/requested.ts`). */
export function readCreate(body: Cluster, newId: () => string, keeping = nothing): NewCluster {
  const given = carriedBody(body);
  // An entry of a new cluster must have no `id`, because an id names an existing zone. In the shape with one entry per
  // shard, `id` is a read-only field, and the check of read-only fields covers it.
  if (given?.kind !== 'shards') assertNoZones((given?.body ?? body).replicationSpecs);
  if (given === undefined) return readNewCluster(body, newId);
  const { name, spec } = readNewRegionConfigs(given, newId);
  const kept = keptBody(given, keeping);
  return { name, spec: kept ? withRequested(spec, kept, keeping) : spec };
}

/** Returns the name of the cluster that a body describes. */
export function nameIn(body: Cluster): string {
  const given = carriedBody(body);
  return given ? asNewRegionConfigs(given.body).name : asNewCluster(body).name;
}

/** What a body requests: a pause, a resumption, another `spec`, or nothing. */
export interface Patch {
  readonly pauses: boolean;
  readonly resumes: boolean;
  readonly spec?: ClusterSpec;
}

interface PatchedCluster {
  readonly cluster: ClusterModel;
  /** The cluster as responses show it to the caller. */
  readonly shown: ClusterView;
  readonly now: Date;
  readonly keeping: Keeping;
}

/** Reads the body of an update. Throws if the update is invalid. */
export function readPatch(
  body: Cluster,
  { cluster, shown, now, keeping }: PatchedCluster,
  newId: () => string,
): Patch {
  const sent = carriedBody(body);
  const kept = keptBody(sent, keeping);
  const given = kept ? withCurrentSizes(kept, cluster.spec) : sent;
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  // Check the whole body, because a body that pauses a cluster must not contain other fields, even if their values are
  // unchanged.
  if (requestsPause(given?.body ?? body, cluster, now)) return { pauses: true, resumes: false };
  const changes = given ? changesInRegionConfigs(given, shown) : changesIn(body, shown);
  const resumes = requestsResumption(changes, cluster);
  if (!resumes && isResumption(changes)) return { pauses: false, resumes };
  checkReleaseSystem(given?.body ?? body, cluster.spec);
  const spec = readChanges(cluster, changes, () =>
    given
      ? readRegionConfigsUpdate({ ...given, body: changes as RegionConfigsCluster }, cluster, newId)
      : readUpdate(changes as Cluster, cluster, newId),
  );
  checkTenantUpdate(cluster.spec, spec);
  const recorded = kept ? withRequested(spec, kept, keeping) : withFormerRequest(spec, cluster.spec);
  return { pauses: false, resumes, spec: recorded };
}
