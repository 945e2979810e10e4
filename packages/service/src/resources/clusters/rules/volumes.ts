import { badValue, generalFaults } from '../../../api/faults.ts';
import { type Provider, regions } from '../catalogue/regions.ts';
import { type InstanceSize, sizeNumber } from '../catalogue/sizes.ts';
import { type ClusterSpec, hasLocalDisks, type Volume } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { specFaults } from './faults.ts';

/** The numbers of the smallest sizes for which the IOPS can be configured. */
const SMALLEST_CONFIGURABLE = { AWS: 30, AZURE: 40 } as const;
const MIN_PROVISIONED_IOPS = 100;
const MAX_IOPS_PER_GB = 30;

/** Returns the IOPS of a general-purpose volume: 3,000 up to 1 TB, then three per GB. */
export function defaultIops(diskSizeGB: number): number {
  return Math.max(3000, 3 * diskSizeGB);
}

/** The nodes to which a volume belongs. */
interface VolumeNodes {
  readonly provider: Provider;
  readonly size: InstanceSize;
  readonly diskSizeGB: number;
  /** Whether to ignore IOPS of sizes at AWS whose IOPS cannot be configured. By default, higher IOPS are rejected. */
  readonly ignoresFixedIops?: boolean | undefined;
}

/**
 * Returns the volume that a body requests. Omits values that a general-purpose volume also has, so that these values
 * follow the disk size. Higher values require a provisioned volume.
 */
export function readVolume({ diskIOPS, volumeType }: Volume, nodes: VolumeNodes): Volume {
  const { provider, size, diskSizeGB, ignoresFixedIops = false } = nodes;
  if (diskIOPS === undefined && volumeType === undefined) return {};
  if (size.class === 'tenant') {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('its volumes cannot be configured');
  }
  if (provider === 'GCP')
    throw badValue(diskIOPS === undefined ? 'volumeType' : 'diskIOPS', 'cannot be configured at GCP');
  if (provider === 'AZURE' && volumeType !== undefined)
    throw badValue('volumeType', 'cannot be configured at AZURE');
  if (size.class === 'nvme') return readLocal({ diskIOPS, volumeType }, size);
  if (isProvisioned(volumeType) && diskIOPS !== undefined && diskIOPS < MIN_PROVISIONED_IOPS) {
    throw badValue('diskIOPS', `must be at least ${MIN_PROVISIONED_IOPS} for a provisioned volume`);
  }
  const standard = defaultIops(diskSizeGB);
  const refused = (type: string) =>
    specFaults.CLUSTER_DISK_IOPS_INVALID(standard, diskSizeGB, size.name, type);
  const requested = diskIOPS ?? standard;
  if (volumeType === 'STANDARD' && requested !== standard) throw refused('STANDARD');
  // AWS ignores IOPS below the standard value; AZURE rejects them.
  if (provider === 'AWS' && !isProvisioned(volumeType) && requested <= standard) return {};
  if (requested < standard && provider === 'AZURE') throw refused('STANDARD');
  if (sizeNumber(size.name) < SMALLEST_CONFIGURABLE[provider]) {
    if (ignoresFixedIops && provider === 'AWS' && volumeType === undefined) return {};
    if (requested !== standard) throw refused('STANDARD');
    throw badValue(
      'diskIOPS',
      `can be configured at ${provider} only for the size M${SMALLEST_CONFIGURABLE[provider]} or larger`,
    );
  }
  if (requested > MAX_IOPS_PER_GB * diskSizeGB && requested > standard) {
    throw specFaults.INVALID_IOPS_INVALID_RATIO(MAX_IOPS_PER_GB);
  }
  return { diskIOPS: requested, volumeType: isProvisioned(volumeType) ? volumeType : 'PROVISIONED' };
}

/** Whether callers configure the IOPS of volumes of this type. The service treats HIGH_PERFORMANCE like PROVISIONED. */
export function isProvisioned(type: Volume['volumeType']): type is 'PROVISIONED' | 'HIGH_PERFORMANCE' {
  return type === 'PROVISIONED' || type === 'HIGH_PERFORMANCE';
}

/** Returns the volume type in responses, where local disks count as provisioned. */
export function volumeTypeOf(spec: ClusterSpec): NonNullable<Volume['volumeType']> {
  return spec.volumeType ?? (hasLocalDisks(spec) ? 'PROVISIONED' : 'STANDARD');
}

/** Throws if a region does not offer provisioned volumes. */
export function checkVolumes({ zones, volumeType, diskSizeGB, instanceSize }: ClusterSpec): void {
  const nodes = zones
    .filter(({ volumes = [{ volumeType }] }) => volumes.some((one) => isProvisioned(one.volumeType)))
    .flatMap((zone) => zone.regions);
  if (
    nodes.every(({ provider, region }) => provider !== 'AZURE' || regions.AZURE.get(region)?.extendedIops)
  ) {
    return;
  }
  const standard = defaultIops(diskSizeGB);
  throw specFaults.CLUSTER_DISK_IOPS_INVALID(standard, diskSizeGB, instanceSize, 'STANDARD');
}

/**
 * Reads the volume settings of local disks. Throws if the request contains other values than the fixed values of local
 * disks.
 */
function readLocal({ diskIOPS, volumeType }: Volume, size: InstanceSize): Volume {
  const given = defaultIops(size.defaultDiskGB);
  if (volumeType === 'STANDARD' || (diskIOPS !== undefined && diskIOPS !== given)) {
    throw specFaults.CLUSTER_DISK_IOPS_INVALID(given, size.defaultDiskGB, size.name, 'PROVISIONED');
  }
  return {};
}

/** The sizes of AZURE's disk types in gigabytes. */
const diskTypes: Readonly<Record<string, number>> = {
  P2: 8,
  P3: 16,
  P4: 32,
  P6: 64,
  P10: 128,
  P15: 256,
  P20: 512,
  P30: 1024,
  P40: 2048,
  P50: 4095,
};

export function diskOfType(name: string): number {
  const disk = Object.hasOwn(diskTypes, name) ? diskTypes[name] : undefined;
  if (disk === undefined)
    throw generalFaults
      .INVALID_ENUM_VALUE(name)
      .at('providerSettings.diskTypeName', `must be one of ${Object.keys(diskTypes).join(', ')}`);
  return disk;
}

/**
 * Returns the type of the smallest disk with at least this size. A size below 10 GB counts as 10 GB
 * (docs/contract/api.md 2.15).
 */
export function diskTypeOf(diskSizeGB: number): string {
  const found = Object.entries(diskTypes).find(([, disk]) => Math.max(disk, 10) >= diskSizeGB);
  return found?.[0] ?? 'P50';
}
