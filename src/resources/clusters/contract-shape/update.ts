import { isDeepStrictEqual } from 'node:util';
import { generalFaults } from '../../../api/faults.ts';
import { majorVersions } from '../data/versions.ts';
import type { ClusterModel, ClusterSpec, ClusterType, KeptFields, Zone } from '../model.ts';
import { clusterFaults } from '../rules.ts';
import type { Cluster } from '../schema.ts';
import { readHardware } from './hardware.ts';
import { keptFields } from './read.ts';
import type { ClusterView } from './write.ts';
import { readZones } from './zones.ts';

/**
 * What a body asks to change. Callers send back whole documents, which hold the topology in three forms: what stands
 * there as it is asks for nothing. `paused` asks, whatever its value.
 */
export function changesIn(body: Cluster, shown: ClusterView): Cluster {
  const { effectiveInstanceSizeName: _, ...providerSettings } = shown.providerSettings ?? {};
  const before: Record<string, unknown> = { ...shown, providerSettings };
  const isChange = ([name, value]: [string, unknown]) =>
    name === 'paused' || !isDeepStrictEqual(value, before[name]);
  return Object.fromEntries(Object.entries(body).filter(isChange));
}

/**
 * Reads the body of an update in the contract's shape into the cluster's next spec. Fields that are not named stay
 * as they are; the topology is read again only where the body names a part of it.
 */
export function readUpdate(body: Cluster, cluster: ClusterModel, newId: () => string): ClusterSpec {
  const { spec } = cluster;
  if (body.name !== undefined && body.name !== cluster.name) throw clusterFaults.CLUSTER_CANNOT_CHANGE_NAME();
  const clusterType = nextType(body, spec);
  const kept = withKept(spec.kept, keptFields(body));
  if (spec.tenant && touchesNodes(body)) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  const hardware = touchesNodes(body) ? readHardware(hardwareBody(body, spec)) : undefined;
  if (hardware && hardware.provider !== spec.zones[0]?.regions[0]?.provider) {
    throw clusterFaults.CLUSTER_CANNOT_CHANGE_PROVIDER_NAME();
  }
  const majorVersion = nextVersion(body, spec);
  if (!hardware) return { ...spec, clusterType, majorVersion, kept };
  const { size: _size, provider: _provider, ...nodes } = hardware;
  const zones = touchesTopology(body)
    ? withOldIds(readZones({ ...body, clusterType }, clusterType, hardware, newId), spec)
    : spec.zones;
  checkShardCount(clusterType, zones, spec);
  return { ...spec, ...nodes, clusterType, zones, majorVersion, kept };
}

/** A replica set may become sharded; nothing else changes its type. */
function nextType(body: Cluster, spec: ClusterSpec): ClusterType {
  const asked = body.clusterType ?? spec.clusterType;
  if (asked === spec.clusterType) return asked;
  if (asked === 'GEOSHARDED' || spec.clusterType === 'GEOSHARDED') {
    throw clusterFaults.CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE();
  }
  if (asked === 'REPLICASET') throw clusterFaults.SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET();
  if (spec.tenant) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  return asked;
}

function checkShardCount(clusterType: ClusterType, zones: readonly Zone[], before: ClusterSpec): void {
  if (clusterType === before.clusterType || zones.every(({ numShards }) => numShards === 1)) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('a replica set becomes sharded with one shard');
}

function touchesTopology(body: Cluster): boolean {
  return (
    body.replicationSpecs !== undefined ||
    body.replicationSpec !== undefined ||
    body.replicationFactor !== undefined ||
    body.providerSettings?.regionName !== undefined
  );
}

function touchesNodes(body: Cluster): boolean {
  return touchesTopology(body) || body.providerSettings !== undefined || body.diskSizeGB !== undefined;
}

/** Size and disk of the body over those of the cluster. A disk that had the old size's default gets the new one's. */
function hardwareBody(body: Cluster, spec: ClusterSpec): Cluster {
  const asked = body.providerSettings;
  if (asked && asked.providerName === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('providerSettings.providerName');
  const provider = spec.zones[0]?.regions[0]?.provider ?? 'AWS';
  const before = { providerName: provider, instanceSizeName: spec.instanceSize };
  const defaultDisk = readHardware({ providerSettings: before }).diskSizeGB;
  const sameSize = (asked?.instanceSizeName ?? spec.instanceSize) === spec.instanceSize;
  const disk = body.diskSizeGB ?? (sameSize || spec.diskSizeGB !== defaultDisk ? spec.diskSizeGB : undefined);
  return {
    providerSettings: {
      ...before,
      ...(spec.diskIOPS === undefined ? {} : { diskIOPS: spec.diskIOPS }),
      ...(spec.volumeType === undefined ? {} : { volumeType: spec.volumeType }),
      ...asked,
    },
    ...(disk === undefined ? {} : { diskSizeGB: disk }),
  };
}

/** A zone without an id is the one at its place (a replica set has only one). */
function withOldIds(zones: ClusterSpec['zones'], spec: ClusterSpec): ClusterSpec['zones'] {
  const known = new Set(spec.zones.map((zone) => zone.id));
  return zones.map((zone, index) =>
    known.has(zone.id) ? zone : { ...zone, id: spec.zones[index]?.id ?? zone.id },
  );
}

/** Objects are changed field by field; lists and plain values as a whole. */
function withKept(before: KeptFields, named: KeptFields): KeptFields {
  const merged = Object.entries(named).map(([name, value]) => {
    const old = before[name];
    return [name, isFields(value) && isFields(old) ? withKept(old, value) : value];
  });
  return { ...before, ...Object.fromEntries(merged) };
}

function isFields(value: unknown): value is KeptFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nextVersion(body: Cluster, spec: ClusterSpec): string {
  const asked = body.dbMajorVersion;
  if (asked === undefined || asked === spec.majorVersion) return spec.majorVersion;
  const [from, to] = [majorVersions.indexOf(spec.majorVersion), majorVersions.indexOf(asked)];
  if (to < 0) throw clusterFaults.DB_VERSION_INVALID(asked);
  // Back to the version that was kept compatible.
  if (to === from - 1 && spec.pinned?.version === asked) return asked;
  if (to < from) throw clusterFaults.CLUSTER_UPGRADE_INVALID(spec.majorVersion, asked);
  if (spec.pinned && to > majorVersions.indexOf(spec.pinned.version) + 1) {
    throw clusterFaults.INVALID_DB_VERSION_CONFIG(
      `the feature compatibility version is pinned to ${spec.pinned.version}`,
    );
  }
  if (to > from + 1) {
    throw clusterFaults.INVALID_DB_VERSION_CONFIG(
      `version ${spec.majorVersion} is raised to ${majorVersions[from + 1]} first`,
    );
  }
  return asked;
}
