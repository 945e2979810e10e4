import type { Cluster } from '../../api/resources.ts';

/** A region of a cluster and the number of its electable nodes, as the text of a field. */
export interface RegionNodes {
  readonly region: string;
  readonly electable: string;
}

/** A zone of a global cluster. */
export interface ZoneNodes {
  readonly name: string;
  readonly shards: string;
  readonly regions: readonly RegionNodes[];
}

/** Returns a zone with three nodes in one region. `index` is the number of zones before it. */
export function newZone(index: number, region = ''): ZoneNodes {
  return { name: `Zone ${index + 1}`, shards: '1', regions: [{ region, electable: '3' }] };
}

/**
 * Removes the regions that are not in `offered`. A zone that has no other region gets the first region in `offered`.
 */
export function zonesWithin(zones: readonly ZoneNodes[], offered: readonly string[]): readonly ZoneNodes[] {
  return zones.map((zone, index) => {
    const regions = zone.regions.filter(({ region }) => offered.includes(region));
    return { ...zone, regions: regions.length > 0 ? regions : newZone(index, offered[0]).regions };
  });
}

/** Returns the replication spec of a zone. */
export function specOf({ name, shards, regions }: ZoneNodes): Spec {
  return withRegions({ zoneName: name, numShards: Number(shards), regionsConfig: {} }, regions);
}

type Spec = NonNullable<Cluster['replicationSpecs']>[number];

/** The priority of the region in which the primary is. */
const FIRST_PRIORITY = 7;

/** The regions of a replication spec, by priority. */
export function regionsOf({ regionsConfig = {} }: Spec): readonly RegionNodes[] {
  return Object.entries(regionsConfig)
    .toSorted(([, one], [, other]) => (other.priority ?? 0) - (one.priority ?? 0))
    .map(([region, { electableNodes = 0 }]) => ({ region, electable: String(electableNodes) }));
}

/** Returns a replication spec with other regions. Regions that remain keep their read-only and analytics nodes. */
export function withRegions(spec: Spec, regions: readonly RegionNodes[]): Spec {
  let next = FIRST_PRIORITY;
  const configs = regions.map(({ region, electable }) => {
    const { readOnlyNodes = 0, analyticsNodes = 0 } = spec.regionsConfig?.[region] ?? {};
    const electableNodes = Number(electable);
    const priority = electableNodes > 0 ? next-- : 0;
    return [region, { electableNodes, readOnlyNodes, analyticsNodes, priority }] as const;
  });
  return { ...spec, regionsConfig: Object.fromEntries(configs) };
}
