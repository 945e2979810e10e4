import type { ClusterSpec, ClusterType, RegionNodes, Zone } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import { zoneIds } from '../zone-ids.ts';
import type { Hardware } from './hardware.ts';
import { knownRegion } from './regions.ts';
import type { Cluster } from './schema.ts';
import { checkFactor, checkOffered, checkZones, readZones } from './zones.ts';

/** Whether an update sets a part of the topology. For multi-region clusters, `regionName` is ignored. */
export function touchesTopology(body: Cluster, spec: ClusterSpec): boolean {
  return (
    body.replicationSpecs !== undefined ||
    body.replicationSpec !== undefined ||
    body.replicationFactor !== undefined ||
    body.numShards !== undefined ||
    (body.providerSettings?.regionName !== undefined && onlyRegion(spec) !== undefined)
  );
}

/** Returns the topology after an update. Parts that the update omits stay unchanged. */
export function nextZones(
  body: Cluster,
  clusterType: ClusterType,
  hardware: Hardware,
  spec: ClusterSpec,
  newId: () => string,
): readonly Zone[] {
  const [first] = spec.zones;
  if (body.replicationSpecs !== undefined || body.replicationSpec !== undefined) {
    const numShards = body.replicationSpecs ? {} : { numShards: body.numShards ?? first?.numShards ?? 1 };
    const named = (body.replicationSpecs ?? [undefined]).map((entry) => entry?.id);
    const ids = zoneIds(named, spec.zones, newId)[Symbol.iterator]();
    return readZones(
      { ...body, clusterType, ...numShards },
      clusterType,
      hardware,
      () => ids.next().value ?? '',
    );
  }
  const zones = touchesTopology(body, spec) ? changedZones(body, hardware, spec) : spec.zones;
  checkZones(zones, clusterType);
  for (const { provider, region } of zones.flatMap((zone) => zone.regions)) {
    checkOffered({ ...hardware, provider }, region);
  }
  return zones;
}

/**
 * Applies the number of shards, the number of nodes, and the region of a body. Throws if the body contains
 * the number of shards and the cluster has several zones, or if the body contains the number of nodes and the
 * cluster has several regions.
 */
function changedZones(body: Cluster, { provider }: Hardware, spec: ClusterSpec): readonly Zone[] {
  const { numShards, replicationFactor } = body;
  const [zone, ...others] = spec.zones;
  if (zone === undefined || (numShards !== undefined && others.length > 0)) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('numShards is allowed only for clusters with one zone');
  }
  const changed = { ...zone, numShards: numShards ?? zone.numShards };
  const nodes = onlyRegion(spec);
  if (nodes === undefined) {
    if (replicationFactor === undefined) return [changed];
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
      'replicationFactor is allowed only for clusters in one region',
    );
  }
  if (replicationFactor !== undefined) checkFactor(replicationFactor);
  const region = knownRegion(body.providerSettings?.regionName ?? nodes.region, provider);
  return [{ ...changed, regions: [{ ...nodes, region, electable: replicationFactor ?? nodes.electable }] }];
}

function onlyRegion({ zones }: ClusterSpec): RegionNodes | undefined {
  const [nodes, ...others] = zones.flatMap(({ regions }) => regions);
  return others.length > 0 ? undefined : nodes;
}
