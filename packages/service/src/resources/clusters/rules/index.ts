import type { ReadTx } from '../../../store/index.ts';
import { countOf } from '../../../store/index.ts';
import { oldestVersionOf, rolesOf } from '../../database-users/index.ts';
import { projectKeys } from '../../encryption/index.ts';
import { crossRegionLimit } from '../../projects/index.ts';
import { freeClusters } from '../lists.ts';
import { type ClusterModel, type ClusterSpec, isFree } from '../model/cluster.ts';
import { clustersIn } from '../rows.ts';
import { checkAutoScaling } from './autoscaling.ts';
import { specFaults } from './faults.ts';
import { checkFields } from './fields.ts';
import { checkTenant } from './tenant.ts';
import { checkTopology } from './topology.ts';
import { checkVolumes } from './volumes.ts';

export { specFaults } from './faults.ts';
export { checkCloudBackup, checkFields } from './fields.ts';

/**
 * Throws if a specification is invalid regardless of other resources. For an update, `before` is the current
 * specification.
 */
export function checkSpec(spec: ClusterSpec, before?: ClusterSpec): void {
  checkAutoScaling(spec);
  if (spec.tenant) checkTenant(spec, before);
  checkTopology(spec);
  checkVolumes(spec);
  checkFields(spec, before);
}

/** Throws if a spec conflicts with the other resources of its project. */
export async function checkAgainstProject(
  tx: ReadTx,
  { id, groupId, spec }: Pick<ClusterModel, 'id' | 'groupId' | 'spec'>,
  before?: ClusterSpec,
): Promise<void> {
  await checkEncryption(tx, groupId, spec, before);
  if (isFree(spec) && !(before && isFree(before))) {
    if ((await countOf(tx, freeClusters, groupId)) > 0) {
      throw specFaults.CANNOT_CREATE_FREE_CLUSTER_VIA_PUBLIC_API(groupId);
    }
  }
  if (before === undefined || before.majorVersion !== spec.majorVersion) {
    const oldest = oldestVersionOf(await rolesOf(tx, groupId));
    if (Number(spec.majorVersion) < oldest) {
      throw specFaults.CLUSTER_VERSION_INCOMPATIBLE_WITH_EXISTING_CUSTOM_ROLES(spec.majorVersion);
    }
  }
  await checkRegions(tx, { id, groupId, spec });
}

/**
 * Throws if the project has no key of the provider. A caller who wants to change the provider must first set it to
 * NONE, which decrypts the data.
 */
async function checkEncryption(
  tx: ReadTx,
  groupId: string,
  { tenant, settings }: ClusterSpec,
  before: ClusterSpec | undefined,
): Promise<void> {
  const { encryptionAtRestProvider: provider = 'NONE' } = settings;
  if (provider === 'NONE') return;
  if (tenant) throw specFaults.CANNOT_USE_ENCRYPTION_AT_REST_TENANT();
  const keys = await projectKeys(tx, groupId);
  if (keys.size === 0) throw specFaults.ENCRYPTION_AT_REST_NOT_ENABLED(groupId);
  if (!keys.has(provider)) throw specFaults.INVALID_ENCRYPTION_AT_REST_PROVIDER(provider);
  const { encryptionAtRestProvider: former = 'NONE' } = before?.settings ?? {};
  if (former !== 'NONE' && former !== provider)
    throw specFaults.CANNOT_CHANGE_ENCRYPTION_AT_REST_PROVIDER(former);
}

/**
 * Throws if a region is connected to too many nodes. The nodes of multi-region clusters connect to nodes in other
 * regions. For each region, the project limits the number of nodes of such clusters in all other regions. All regions
 * of GCP share a network, so they count as one region.
 */
async function checkRegions(
  tx: ReadTx,
  { id, groupId, spec }: Pick<ClusterModel, 'id' | 'groupId' | 'spec'>,
): Promise<void> {
  if (nodesByRegion(spec).size < 2) return;
  const others = (await clustersIn(tx, groupId)).filter((cluster) => cluster.id !== id);
  const counts = new Map<string, number>();
  for (const each of [spec, ...others.map((cluster) => cluster.spec)]) {
    const nodes = nodesByRegion(each);
    if (nodes.size < 2) continue;
    for (const [region, count] of nodes) counts.set(region, (counts.get(region) ?? 0) + count);
  }
  const all = [...counts.values()];
  const outside = all.reduce((sum, count) => sum + count, 0) - Math.min(...all);
  const most = await crossRegionLimit(tx, groupId);
  if (outside > most) throw specFaults.CROSS_REGION_NETWORK_PERMISSIONS_LIMIT_EXCEEDED(most);
}

function nodesByRegion({ zones }: ClusterSpec): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { numShards, regions } of zones) {
    for (const { provider, region, electable, readOnly, analytics } of regions) {
      const place = provider === 'GCP' ? provider : `${provider} ${region}`;
      counts.set(place, (counts.get(place) ?? 0) + numShards * (electable + readOnly + analytics));
    }
  }
  return counts;
}
