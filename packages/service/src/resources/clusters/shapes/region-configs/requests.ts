import { badValue } from '../../../../api/faults.ts';
import type { ClusterModel, ClusterSpec } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import { checkName } from '../../model/names.ts';
import { mergeSettings, pickSettings } from '../../model/settings.ts';
import { requireBackupField } from '../../rules/fields.ts';
import { withoutDependentSettings } from '../../rules/settings.ts';
import { checkShardCount, nextType, nextVersion } from '../../rules/updates.ts';
import type { RegionConfigsBody } from '../carried.ts';
import { readNewVersion, tenantVersion } from '../contract/read.ts';
import { withDisk } from '../contract/update.ts';
import { asNewRegionConfigs } from '../required.ts';
import { readTopology, regionConfigsSettings } from './read.ts';

/** Reads the body that creates a cluster, in a shape with region configs. */
export function readNewRegionConfigs(
  given: RegionConfigsBody,
  newId: () => string,
): { name: string; spec: ClusterSpec } {
  const body = asNewRegionConfigs(given.body);
  checkName(body.name);
  if (body.acceptDataRisksAndForceReplicaSetReconfig !== undefined) {
    throw badValue('acceptDataRisksAndForceReplicaSetReconfig', 'is allowed only in updates');
  }
  if (body.paused) throw clusterFaults.CANNOT_CREATE_PAUSED_CLUSTER(body.name);
  const { scaling, ...topology } = readTopology(given, body.clusterType, newId);
  const settings = { ...regionConfigsSettings(body), ...scaling };
  requireBackupField(settings, 'backupEnabled');
  return {
    name: body.name,
    spec: {
      ...topology,
      clusterType: body.clusterType,
      majorVersion: topology.tenant ? tenantVersion(body) : readNewVersion(body),
      settings: withoutDependentSettings(settings, settings),
    },
  };
}

/** Reads the body of an update in a shape with region configs. Fields that the body omits stay unchanged. */
export function readRegionConfigsUpdate(
  given: RegionConfigsBody,
  cluster: ClusterModel,
  newId: () => string,
): ClusterSpec {
  const { body } = given;
  const { spec } = cluster;
  if (body.name !== undefined && body.name !== cluster.name) throw clusterFaults.CLUSTER_CANNOT_CHANGE_NAME();
  const clusterType = nextType(body.clusterType, spec);
  const majorVersion = nextVersion(body.dbMajorVersion, spec);
  const named = regionConfigsSettings(body);
  const settings = withoutDependentSettings(mergeSettings(spec.settings, named), named, spec.settings);
  requireBackupField(settings, 'backupEnabled');
  if (body.replicationSpecs === undefined) {
    const disk = 'diskSizeGB' in body ? body.diskSizeGB : undefined;
    const nodes = disk === undefined ? spec : withDisk(spec, disk);
    return { ...nodes, clusterType, majorVersion, settings };
  }
  if (spec.tenant) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  const { scaling, ...topology } = readTopology(given, clusterType, newId, spec);
  checkShardCount(clusterType, topology.zones, spec);
  const { analyticsSize: _, diskIOPS: _iops, volumeType: _volume, ...rest } = spec;
  const { analyticsCompute: _compute, hasAnalyticsScaling: _has, ...kept } = settings;
  // A request that sets the autoscaling of all nodes also sets that of analytics nodes.
  const before =
    scaling.autoScaling === undefined
      ? pickSettings(settings, 'analyticsCompute', 'hasAnalyticsScaling')
      : {};
  const scaled = withoutDependentSettings(
    { ...kept, ...before, ...scaling },
    { ...named, ...scaling },
    spec.settings,
  );
  return { ...rest, ...topology, clusterType, majorVersion, settings: scaled };
}
