import { generalFaults } from '../../../api/faults.ts';
import { DEFAULT_MAJOR_VERSION, majorVersions } from '../data/versions.ts';
import { FLEX_DISK_GB } from '../kinds.ts';
import type { ClusterSpec, ClusterType, KeptFields } from '../model.ts';
import { checkName, clusterFaults } from '../rules.ts';
import type { Cluster } from '../schema.ts';
import { type Hardware, readHardware } from './hardware.ts';
import { readZones } from './zones.ts';

/** Reads the body of a create in the contract's shape (contract 2.15). `newId` names the zones. */
export function readNewCluster(body: Cluster, newId: () => string): { name: string; spec: ClusterSpec } {
  if (body.name === undefined) throw generalFaults.MISSING_ATTRIBUTE('name');
  if (body.providerSettings === undefined) throw generalFaults.MISSING_ATTRIBUTE('providerSettings');
  checkName(body.name);
  if (body.paused) throw clusterFaults.CANNOT_CREATE_PAUSED_CLUSTER(body.name);
  if (body.acceptDataRisksAndForceReplicaSetReconfig !== undefined) {
    throw generalFaults.INVALID_ATTRIBUTE('acceptDataRisksAndForceReplicaSetReconfig');
  }
  const clusterType = body.clusterType ?? 'REPLICASET';
  const hardware = readHardware(body);
  checkBackups(body);
  const spec: ClusterSpec = {
    ...hardware,
    clusterType,
    zones: readZones(body, clusterType, hardware, newId),
    majorVersion: readNewVersion(body),
    kept: { ...keptFields(body), ...computeLimits(body) },
  };
  checkServed(spec.clusterType, hardware);
  return { name: body.name, spec: hardware.tenant && hardware.instanceSize !== 'M0' ? asFlex(spec) : spec };
}

/** The sizes M2 and M5 are flex clusters now (contract 2.15). */
function asFlex(spec: ClusterSpec): ClusterSpec {
  return { ...spec, kind: 'flexBySize', diskSizeGB: FLEX_DISK_GB };
}

function checkServed(clusterType: ClusterType, hardware: Hardware): void {
  if (clusterType !== 'REPLICASET' && hardware.tenant) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('a shared size is a replica set');
  }
  if (clusterType === 'GEOSHARDED' && sizeNumber(hardware.instanceSize) < SMALLEST_GEOSHARDED) {
    throw clusterFaults.SHARDING_NOT_SUPPORTED(hardware.instanceSize, clusterType);
  }
}

const SMALLEST_GEOSHARDED = 30;

/** The number in a size's name: `M30`, `R40_NVME`. */
function sizeNumber(size: string): number {
  return Number(/\d+/.exec(size)?.[0] ?? 0);
}

export function readNewVersion(body: Pick<Cluster, 'dbMajorVersion' | 'versionReleaseSystem'>): string {
  const asked = body.dbMajorVersion;
  if (body.versionReleaseSystem === 'CONTINUOUS' && asked !== undefined) {
    throw clusterFaults.INVALID_DB_VERSION_CONFIG(
      'with the release system CONTINUOUS dbMajorVersion is left out',
    );
  }
  if (asked === undefined) return DEFAULT_MAJOR_VERSION;
  if (!majorVersions.includes(asked)) throw clusterFaults.DB_VERSION_INVALID(asked);
  return asked;
}

function checkBackups(body: Cluster): void {
  if (body.backupEnabled && body.providerBackupEnabled)
    throw clusterFaults.PLATFORM_BACKUP_CONFLICTING_OPTIONS();
  if (body.backupEnabled) throw clusterFaults.CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS();
  if (body.pitEnabled && !body.providerBackupEnabled)
    throw generalFaults.MISSING_ATTRIBUTE('providerBackupEnabled');
}

/** The contract's shape keeps the sizes of autoscaling apart from its switches. */
export function computeLimits({ providerSettings }: Cluster): KeptFields {
  const limits = providerSettings?.autoScaling?.compute;
  return limits === undefined ? {} : { computeLimits: limits };
}

/** Fields of the contract that have no effect on the deployment's nodes: kept and answered as given. */
const keptNames = [
  'advancedConfiguration',
  'autoScaling',
  'backupEnabled',
  'biConnector',
  'configServerManagementMode',
  'diskWarmingMode',
  'encryptionAtRestProvider',
  'globalClusterSelfManagedSharding',
  'labels',
  'pitEnabled',
  'providerBackupEnabled',
  'replicaSetScalingStrategy',
  'rootCertType',
  'tags',
  'terminationProtectionEnabled',
  'versionReleaseSystem',
] as const satisfies readonly (keyof Cluster)[];

export function keptFields(body: Partial<Pick<Cluster, (typeof keptNames)[number]>>): KeptFields {
  return Object.fromEntries(
    keptNames.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}
