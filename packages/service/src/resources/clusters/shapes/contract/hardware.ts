import { badValue, generalFaults } from '../../../../api/faults.ts';
import type { Provider } from '../../catalogue/regions.ts';
import { type InstanceSize, instanceSizes, tenantSizes } from '../../catalogue/sizes.ts';
import type { ClusterSpec } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import { diskOfType, diskTypeOf, readVolume } from '../../rules/volumes.ts';
import type { Cluster } from './schema.ts';

/** Size, disk and provider of all nodes, from `providerSettings` and `diskSizeGB`. */
export type Hardware = Pick<
  ClusterSpec,
  'instanceSize' | 'tenant' | 'diskSizeGB' | 'diskIOPS' | 'volumeType'
> & {
  readonly provider: Provider;
  readonly size: InstanceSize;
};

type ProviderSettings = NonNullable<Cluster['providerSettings']>;

/** A body in the contract's shape. Dialects set `isDiskOptional` if a topology needs no disk size. */
type ClusterBody = Cluster & { readonly isDiskOptional?: boolean };

export function readHardware(body: ClusterBody): Hardware {
  const settings = body.providerSettings ?? {};
  const name = settings.instanceSizeName;
  if (settings.providerName === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('providerSettings.providerName');
  if (name === undefined) throw generalFaults.MISSING_ATTRIBUTE('providerSettings.instanceSizeName');
  const tenant = settings.providerName === 'TENANT';
  const provider = providerOf(settings);
  const size = (tenant ? tenantSizes[name] : instanceSizes[provider].get(name)) ?? notASize(name);
  if (!tenant && settings.backingProviderName !== undefined) {
    throw badValue('providerSettings.backingProviderName', 'is allowed only with the provider TENANT');
  }
  if (tenant && body.diskSizeGB !== undefined && body.diskSizeGB !== size.defaultDiskGB) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('its disk size cannot be changed');
  }
  const needsDisk = !tenant && body.replicationSpecs !== undefined && body.isDiskOptional !== true;
  if (needsDisk && body.diskSizeGB === undefined) {
    throw generalFaults.MISSING_ATTRIBUTE('diskSizeGB');
  }
  const named = namedDisk(settings, provider);
  const diskSizeGB = readDisk(body.diskSizeGB ?? named, size);
  if (body.diskSizeGB !== undefined && named !== undefined) checkNamed(settings, diskSizeGB);
  return {
    provider,
    size,
    tenant,
    instanceSize: name,
    diskSizeGB,
    ...readVolume(settings, { provider, size, diskSizeGB }),
  };
}

/** Returns the size in GB of a named disk type. Only AZURE has named disk types. */
function namedDisk({ diskTypeName }: ProviderSettings, provider: Provider): number | undefined {
  if (diskTypeName === undefined) return undefined;
  if (provider !== 'AZURE') throw badValue('providerSettings.diskTypeName', 'is allowed only at AZURE');
  return diskOfType(diskTypeName);
}

function checkNamed({ diskTypeName }: ProviderSettings, diskSizeGB: number): void {
  if (diskTypeOf(diskSizeGB) === diskTypeName) return;
  throw clusterFaults.CLUSTER_DISK_SIZE_INVALID(
    `${diskSizeGB} GB requires the disk type ${diskTypeOf(diskSizeGB)}, not ${diskTypeName}`,
  );
}

/** Returns the cloud provider that `providerSettings` selects. */
function providerOf(settings: ProviderSettings): Provider {
  switch (settings.providerName) {
    case 'AWS':
    case 'AZURE':
    case 'GCP':
      return settings.providerName;
    case 'TENANT':
      if (settings.backingProviderName === undefined) {
        throw generalFaults.MISSING_ATTRIBUTE('providerSettings.backingProviderName');
      }
      return settings.backingProviderName;
    default:
      throw generalFaults
        .INVALID_ENUM_VALUE(String(settings.providerName))
        .at('providerSettings.providerName');
  }
}

function notASize(name: string): never {
  throw generalFaults.INVALID_ENUM_VALUE(name).at('providerSettings.instanceSizeName');
}

/**
 * Returns the disk size in GB. Some instance sizes have a fixed disk, and ignore the requested size. For the
 * others, throws if the requested size is not a whole number, or exceeds the maximum. Less than 10 becomes 10
 * (docs/contract/api.md 2.15).
 */
export function readDisk(requested: number | undefined, size: InstanceSize): number {
  if (requested === undefined || size.minDiskGB === size.maxDiskGB) return size.defaultDiskGB;
  if (!Number.isInteger(requested))
    throw clusterFaults.CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER(requested).at('diskSizeGB');
  if (requested > size.maxDiskGB) {
    const problem = `${requested} GB exceeds the maximum of ${size.maxDiskGB} GB for ${size.name}`;
    throw clusterFaults.CLUSTER_DISK_SIZE_INVALID(problem).at('diskSizeGB');
  }
  return Math.max(requested, size.minDiskGB);
}
