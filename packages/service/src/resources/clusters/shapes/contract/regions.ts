import { badValue } from '../../../../api/faults.ts';
import { type Provider, regions } from '../../catalogue/regions.ts';
import type { RegionNodes } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import type { Cluster } from './schema.ts';

export type RegionsConfig = NonNullable<Cluster['replicationSpec']>;

/**
 * Reads one `regionsConfig` map. Throws for an unknown region, and for invalid numbers of nodes or
 * priorities.
 */
export function readRegions(config: RegionsConfig, provider: Provider): RegionNodes[] {
  const list = Object.entries(config).map(([region, nodes]) => ({
    provider,
    region: knownRegion(region, provider),
    priority: nodes.priority ?? 0,
    electable: nodes.electableNodes ?? 0,
    readOnly: nodes.readOnlyNodes ?? 0,
    analytics: nodes.analyticsNodes ?? 0,
  }));
  return checkRegions(list);
}

/**
 * Returns the regions of a replica set by descending priority. Throws if a region occurs twice, or if numbers
 * of nodes or priorities are invalid.
 */
export function checkRegions(list: readonly RegionNodes[]): RegionNodes[] {
  const sorted = list.toSorted((a, b) => b.priority - a.priority);
  checkDistinct(sorted);
  checkNodes(sorted);
  checkPriorities(sorted);
  return sorted;
}

/** Throws if a region occurs twice, which is possible in a list, but not in a map. */
function checkDistinct(list: readonly RegionNodes[]): void {
  const names = list.map(({ provider, region }) => `${provider} ${region}`);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(`the region ${duplicate} appears twice in one shard`);
  }
}

export function knownRegion(region: string, provider: Provider): string {
  if (!regions[provider].has(region)) throw clusterFaults.INVALID_REGION(region, provider);
  return region;
}

const MAX_MEMBERS = 50;

function checkNodes(list: readonly RegionNodes[]): void {
  const electable = list.reduce((sum, region) => sum + region.electable, 0);
  const all = list.reduce((sum, region) => sum + region.electable + region.readOnly + region.analytics, 0);
  if (electable === 0) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('at least one region must have electable nodes');
  }
  if (electable > 7 || all > MAX_MEMBERS) throw clusterFaults.CLUSTER_REPLICATION_FACTOR_INVALID();
  if (electable % 2 === 0 || electable < 3)
    throw badValue(
      'replicationSpecs',
      'must each have a total of 3, 5 or 7 electable nodes',
      'number of electable nodes',
    );
}

/**
 * Throws unless the priorities of regions with electable nodes decrease from 7 in steps of one, and all other
 * priorities are 0.
 */
function checkPriorities(list: readonly RegionNodes[]): void {
  const electable = list.filter((region) => region.electable > 0);
  const counted = electable.every((region, index) => region.priority === 7 - index);
  const others = list.every((region) => region.electable > 0 || region.priority === 0);
  if (!counted || !others)
    throw badValue(
      'priority',
      'must decrease from 7 in steps of one for regions with electable nodes, and be 0 for all others',
    );
}
