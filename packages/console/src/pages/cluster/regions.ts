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

/** The numbers of electable nodes that a zone can have. */
const ELECTABLE = [3, 5, 7];
/**
 * The minimum number of nodes of a cluster in several regions. With it, the first region keeps its three nodes if
 * another region is added.
 */
const MIN_IN_REGIONS = 5;

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

/** Adds a region. All regions together then have 3, 5 or 7 electable nodes. */
export function withRegion(regions: readonly RegionNodes[], region: string): readonly RegionNodes[] {
  const counts = countsOf(regions);
  const total = sum(counts);
  const completing = (ELECTABLE.find((count) => count > total) ?? total) - total;
  const next = areShares(counts) ? sharesOf(counts.length + 1, total) : [...counts, completing];
  return withCounts([...regions, { region, electable: '0' }], next);
}

/**
 * Removes a region. The other regions keep their nodes; but if all regions had equal shares, the other
 * regions get equal shares again.
 */
export function withoutRegion(regions: readonly RegionNodes[], at: number): readonly RegionNodes[] {
  const counts = countsOf(regions);
  const left = regions.toSpliced(at, 1);
  return areShares(counts) ? withCounts(left, sharesOf(left.length, sum(counts))) : left;
}

/** Returns equal shares for regions that had `present` nodes before. */
function sharesOf(regions: number, present: number): readonly number[] {
  if (regions === 1) return [3];
  const needed = Math.max(MIN_IN_REGIONS, present, regions);
  return divided(ELECTABLE.find((count) => count >= needed) ?? Math.max(...ELECTABLE), regions);
}

/** Divides nodes equally. The first regions get one more node if there is a remainder. */
const divided = (total: number, regions: number): readonly number[] =>
  Array.from({ length: regions }, (_, index) => Math.ceil((total - index) / regions));

function areShares(counts: readonly number[]): boolean {
  const total = sum(counts);
  const equal = divided(total, counts.length);
  return ELECTABLE.includes(total) && counts.every((count, index) => count === equal[index]);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const countsOf = (regions: readonly RegionNodes[]) => regions.map(({ electable }) => Number(electable));
const withCounts = (regions: readonly RegionNodes[], counts: readonly number[]) =>
  regions.map((region, index) => ({ ...region, electable: String(counts[index]) }));

/** Returns the replication spec of a zone. */
export function specOf({ name, shards, regions }: ZoneNodes): Spec {
  return withRegions({ zoneName: name, numShards: Number(shards), regionsConfig: {} }, regions);
}

/** The provider of a cluster, with its region, or with the number of its regions if it has several. */
export function placeOf({ providerSettings, replicationSpecs = [] }: Cluster): string {
  const { providerName, regionName } = providerSettings;
  const regions = new Set(replicationSpecs.flatMap(({ regionsConfig = {} }) => Object.keys(regionsConfig)));
  const [first = regionName] = regions;
  return regions.size > 1 ? `${providerName}, ${regions.size} regions` : `${providerName} ${first ?? ''}`;
}

type Spec = NonNullable<Cluster['replicationSpecs']>[number];

/** The priority of the region in which the primary is. */
const FIRST_PRIORITY = 7;

/** Returns the regions of a replication spec, by priority. */
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
