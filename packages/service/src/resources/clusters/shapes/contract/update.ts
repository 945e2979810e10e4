import { isDeepStrictEqual } from 'node:util';
import { generalFaults } from '../../../../api/faults.ts';
import { type ClusterModel, type ClusterSpec, firstProvider } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import { mergeSettings } from '../../model/settings.ts';
import { withoutDependentSettings } from '../../rules/settings.ts';
import { checkShardCount, nextType, nextVersion } from '../../rules/updates.ts';
import { diskTypeOf } from '../../rules/volumes.ts';
import { readHardware } from './hardware.ts';
import { nextZones, touchesTopology } from './next-zones.ts';
import { contractSettings } from './read.ts';
import type { Cluster } from './schema.ts';
import type { ClusterView } from './write.ts';

/**
 * Returns the fields of a body that differ from the current values. Callers send back whole documents, which contain
 * the topology in three forms, so unchanged fields are ignored. The field `paused` always counts as a change.
 */
export function changesIn(body: Cluster, shown: ClusterView): Cluster {
  const { effectiveInstanceSizeName: _, ...providerSettings } = shown.providerSettings ?? {};
  const before: Record<string, unknown> = { ...shown, providerSettings };
  const isChange = ([name, value]: [string, unknown]) =>
    name === 'paused' || !isDeepStrictEqual(value, before[name]);
  return Object.fromEntries(Object.entries(body).filter(isChange));
}

/**
 * Reads the body of an update in the contract's shape. Returns the next spec of the cluster. Fields that the body omits
 * stay unchanged. The body changes nodes and hardware only if it contains fields for them.
 */
export function readUpdate(body: Cluster, cluster: ClusterModel, newId: () => string): ClusterSpec {
  const { spec } = cluster;
  if (body.name !== undefined && body.name !== cluster.name) throw clusterFaults.CLUSTER_CANNOT_CHANGE_NAME();
  const clusterType = nextType(body.clusterType, spec);
  const named = contractSettings(body);
  const settings = withoutDependentSettings(mergeSettings(spec.settings, named), named, spec.settings);
  if (spec.tenant && touchesNodes(body, spec)) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  const hardware = touchesNodes(body, spec) ? readHardware(hardwareBody(body, spec)) : undefined;
  if (hardware && hardware.provider !== firstProvider(spec)) {
    throw clusterFaults.CLUSTER_CANNOT_CHANGE_PROVIDER_NAME();
  }
  const majorVersion = nextVersion(body.dbMajorVersion, spec);
  if (!hardware) return { ...spec, clusterType, majorVersion, settings };
  const { size: _size, provider: _provider, ...nodes } = hardware;
  const zones = nextZones(body, clusterType, hardware, spec, newId);
  checkShardCount(clusterType, zones, spec);
  const { diskIOPS: _iops, volumeType: _volume, ...rest } = spec;
  return { ...rest, ...nodes, clusterType, zones, majorVersion, settings };
}

/** Returns the spec of a cluster that gets disks of another size. Throws if the size is invalid. */
export function withDisk(spec: ClusterSpec, diskSizeGB: number): ClusterSpec {
  if (spec.tenant) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  const { size: _size, provider: _provider, ...nodes } = readHardware(hardwareBody({ diskSizeGB }, spec));
  const { diskIOPS: _iops, volumeType: _volume, ...rest } = spec;
  return { ...rest, ...nodes };
}

function touchesNodes(body: Cluster, spec: ClusterSpec): boolean {
  return touchesTopology(body, spec) || body.providerSettings !== undefined || body.diskSizeGB !== undefined;
}

/**
 * Returns the cluster's size and disk, with the values of the body in place of the current values. A disk with the
 * default of the previous size gets the default of the new size.
 */
function hardwareBody(body: Cluster, spec: ClusterSpec): Cluster {
  const requested = body.providerSettings;
  if (requested && requested.providerName === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('providerSettings.providerName');
  const provider = firstProvider(spec);
  const { diskTypeName, ...others } = requested ?? {};
  // Callers send back the disk type that they have read, so only a different type selects another disk.
  const renamed = diskTypeName !== (provider === 'AZURE' ? diskTypeOf(spec.diskSizeGB) : undefined);
  const named = renamed && diskTypeName !== undefined ? { diskTypeName } : {};
  const before = { providerName: provider, instanceSizeName: spec.instanceSize };
  const disk = body.diskSizeGB ?? ('diskTypeName' in named ? undefined : keptDisk(before, others, spec));
  return {
    providerSettings: {
      ...before,
      ...(spec.diskIOPS === undefined ? {} : { diskIOPS: spec.diskIOPS }),
      ...(spec.volumeType === undefined || provider !== 'AWS' ? {} : { volumeType: spec.volumeType }),
      ...others,
      ...named,
    },
    ...(disk === undefined ? {} : { diskSizeGB: disk }),
  };
}

function keptDisk(
  before: NonNullable<Cluster['providerSettings']>,
  { instanceSizeName = before.instanceSizeName }: NonNullable<Cluster['providerSettings']>,
  { diskSizeGB }: ClusterSpec,
): number | undefined {
  const defaultDisk = readHardware({ providerSettings: before }).diskSizeGB;
  return instanceSizeName === before.instanceSizeName || diskSizeGB !== defaultDisk ? diskSizeGB : undefined;
}
