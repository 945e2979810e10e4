import { generalFaults } from '../../../../api/faults.ts';
import { regions } from '../../catalogue/regions.ts';
import { namedOnly, notOffered } from '../../catalogue/sizes.ts';
import type { ClusterType, RegionNodes, Zone } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import type { Hardware } from './hardware.ts';
import { knownRegion, type RegionsConfig, readRegions } from './regions.ts';
import type { Cluster } from './schema.ts';
import { electableCounts, MAX_SHARDS } from './topology-schema.ts';

/**
 * Reads the topology from `replicationSpecs`, from the deprecated `replicationSpec`, or from a single region with three
 * nodes.
 */
export function readZones(
  body: Cluster,
  clusterType: ClusterType,
  hardware: Hardware,
  newId: () => string,
): Zone[] {
  if (body.replicationSpec && body.replicationSpecs) throw clusterFaults.DUAL_REPLICATION_SPEC_SPECIFIED();
  if (body.replicationSpecs && body.clusterType === undefined) {
    throw clusterFaults.REPLICATION_SPECS_INVALID('clusterType is required');
  }
  if (body.replicationSpecs && body.numShards !== undefined) checkSum(body.replicationSpecs, body.numShards);
  const zones = body.replicationSpecs
    ? body.replicationSpecs.map((spec, index) => readZone(spec, index, hardware, newId))
    : [{ id: newId(), name: 'Zone 1', numShards: body.numShards ?? 1, regions: singleZone(body, hardware) }];
  checkZones(zones, clusterType);
  for (const { region } of zones.flatMap((zone) => zone.regions)) checkOffered(hardware, region);
  return zones;
}

type ReplicationSpec = NonNullable<Cluster['replicationSpecs']>[number];

function checkSum(specs: readonly ReplicationSpec[], numShards: number): void {
  if (specs.reduce((sum, spec) => sum + (spec.numShards ?? 0), 0) === numShards) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
    'numShards must equal the number of shards in replicationSpecs',
  );
}

function readZone(spec: ReplicationSpec, index: number, hardware: Hardware, newId: () => string): Zone {
  if (spec.numShards === undefined || spec.regionsConfig === undefined) {
    throw clusterFaults.REPLICATION_SPECS_INVALID('numShards and regionsConfig are required');
  }
  for (const [region, nodes] of Object.entries(spec.regionsConfig)) checkComplete(region, nodes);
  return {
    id: newId(),
    name: spec.zoneName ?? `Zone ${index + 1}`,
    numShards: spec.numShards,
    regions: readRegions(spec.regionsConfig, hardware.provider),
  };
}

const required = ['electableNodes', 'priority', 'readOnlyNodes'] as const;

/** Requires all counts except `analyticsNodes`, which is optional. */
function checkComplete(region: string, nodes: RegionsConfig[string]): void {
  const missing = required.find((name) => nodes[name] === undefined);
  if (missing !== undefined) {
    throw clusterFaults.REPLICATION_SPECS_INVALID(`${missing} of ${region} is required`);
  }
}

function singleZone(body: Cluster, hardware: Hardware): RegionNodes[] {
  if (body.replicationSpec) return readRegions(body.replicationSpec, hardware.provider);
  const region = body.providerSettings?.regionName;
  if (region === undefined) throw generalFaults.MISSING_ATTRIBUTE('providerSettings.regionName');
  const electable = body.replicationFactor ?? 3;
  checkFactor(electable);
  const { provider, tenant } = hardware;
  // For shared-tier clusters, a later check rejects unknown regions with a more specific error code.
  if (!tenant) knownRegion(region, provider);
  return [{ provider, region, priority: 7, electable, readOnly: 0, analytics: 0 }];
}

export function checkFactor(electable: number): void {
  if (!electableCounts.includes(electable)) throw clusterFaults.CLUSTER_REPLICATION_FACTOR_INVALID();
}

export function checkZones(zones: readonly Zone[], clusterType: ClusterType): void {
  const [first] = zones;
  if (!first) throw clusterFaults.REPLICATION_SPECS_INVALID('at least one is required');
  if (zones.some(({ numShards }) => numShards < 1 || numShards > MAX_SHARDS)) {
    throw clusterFaults.CLUSTER_NUM_SHARDS_INVALID(MAX_SHARDS);
  }
  if (clusterType !== 'GEOSHARDED' && zones.length > 1) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('several zones require the type GEOSHARDED');
  }
  if (clusterType === 'REPLICASET' && first.numShards !== 1) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('a replica set must have one shard');
  }
  if (new Set(zones.map((zone) => zone.name)).size < zones.length) throw clusterFaults.DUPLICATE_ZONE_NAME();
}

export function checkOffered(
  hardware: Pick<Hardware, 'provider' | 'instanceSize' | 'tenant'>,
  region: string,
): void {
  const { provider, instanceSize, tenant } = hardware;
  if (tenant && !regions[provider].get(region)?.sharedTier) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION(
      `the region ${region} does not offer shared-tier clusters`,
    );
  }
  if (namedOnly[provider].includes(instanceSize) || notOffered[provider][instanceSize]?.includes(region)) {
    throw clusterFaults.NO_COMMON_INSTANCE_FAMILY(instanceSize, region);
  }
}
