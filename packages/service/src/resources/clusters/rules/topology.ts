import { badValue } from '../../../api/faults.ts';
import { instanceSizes, sizeNumber } from '../catalogue/sizes.ts';
import { type ClusterSpec, firstProvider, type Zone } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';

const SMALLEST_GEOSHARDED = 30;
const MAX_ZONES = 9;
const MAX_MULTI_REGION_SHARDS = 12;
/**
 * The sizes of the smallest and the largest shard may be at most this many steps apart in the list of sizes.
 */
const MAX_SIZE_DISTANCE = 2;

/** Throws if the zones, shards or sizes are invalid for the cluster type. */
export function checkTopology(spec: ClusterSpec): void {
  const { clusterType, zones } = spec;
  if (clusterType === 'GEOSHARDED') checkGlobal(spec);
  if (zones.some(({ numShards, regions }) => regions.length > 1 && numShards > MAX_MULTI_REGION_SHARDS)) {
    throw clusterFaults.CLUSTER_NUM_SHARDS_INVALID(MAX_MULTI_REGION_SHARDS);
  }
  checkSizesOfShards(spec);
}

function checkGlobal({ clusterType, zones, instanceSize, settings }: ClusterSpec): void {
  const smallest = settings.hasZonesOfAnySize === true ? 0 : SMALLEST_GEOSHARDED;
  for (const size of [instanceSize, ...zones.flatMap(({ sizes = [] }) => sizes)]) {
    if (sizeNumber(size) < smallest) {
      throw clusterFaults.SHARDING_NOT_SUPPORTED(size, clusterType);
    }
  }
  if (zones.length > MAX_ZONES)
    throw badValue('replicationSpecs', `must have at most ${MAX_ZONES} zones`, 'number of zones');
  const firsts = zones.map(firstRegion);
  const duplicate = firsts.find((region, index) => firsts.indexOf(region) !== index);
  if (duplicate !== undefined)
    throw badValue(
      'replicationSpecs',
      `must not have ${duplicate} as the first region of several zones`,
      `first region of a zone: ${duplicate}`,
    );
}

/** Returns the region where the primary of a zone usually runs. */
function firstRegion({ regions }: Zone): string {
  const [first] = regions;
  return `${first?.provider} ${first?.region}`;
}

function checkSizesOfShards(spec: ClusterSpec): void {
  const { zones, instanceSize } = spec;
  const offered = instanceSizes[firstProvider(spec)].keys();
  const numbers = [...new Set([...offered].map(sizeNumber))].sort((a, b) => a - b);
  const ranks = zones
    .flatMap(({ sizes, numShards }) => sizes ?? Array.from({ length: numShards }, () => instanceSize))
    .map((size) => numbers.indexOf(sizeNumber(size)));
  if (Math.max(...ranks) - Math.min(...ranks) <= MAX_SIZE_DISTANCE) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
    'the sizes of all shards must be within three consecutive instance sizes, such as M30, M40 and M50',
  );
}
