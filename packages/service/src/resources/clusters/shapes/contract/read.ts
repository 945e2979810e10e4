import { badValue } from '../../../../api/faults.ts';
import { DEFAULT_MAJOR_VERSION, endedVersions, majorVersions } from '../../catalogue/versions.ts';
import type { ClusterSpec } from '../../model/cluster.ts';
import { clusterFaults } from '../../model/faults.ts';
import { FLEX_DISK_GB } from '../../model/fixed-size.ts';
import { checkName } from '../../model/names.ts';
import { type ClusterSettings, settingsIn } from '../../model/settings.ts';
import { withoutDependentSettings } from '../../rules/settings.ts';
import { type VersionChoice, versionOfContinuous } from '../../rules/updates.ts';
import { asNewCluster } from '../required.ts';
import { readHardware } from './hardware.ts';
import type { Cluster } from './schema.ts';
import { readZones } from './zones.ts';

/**
 * Reads the body that creates a cluster, in the contract's shape (docs/contract/api.md 2.15). `newId` returns ids for
 * the zones.
 */
export function readNewCluster(sent: Cluster, newId: () => string): { name: string; spec: ClusterSpec } {
  const body = asNewCluster(sent);
  checkName(body.name);
  if (body.paused) throw clusterFaults.CANNOT_CREATE_PAUSED_CLUSTER(body.name);
  if (body.acceptDataRisksAndForceReplicaSetReconfig !== undefined) {
    throw badValue('acceptDataRisksAndForceReplicaSetReconfig', 'is allowed only in updates');
  }
  const clusterType = body.clusterType ?? 'REPLICASET';
  const hardware = readHardware(body);
  const { provider: _provider, size: _size, ...nodes } = hardware;
  const settings = contractSettings(body);
  const spec: ClusterSpec = {
    ...nodes,
    clusterType,
    zones: readZones(body, clusterType, hardware, newId),
    majorVersion: hardware.tenant ? tenantVersion(body) : readNewVersion(body),
    settings: withoutDependentSettings(settings, settings),
  };
  return { name: body.name, spec: hardware.tenant && hardware.instanceSize !== 'M0' ? asFlex(spec) : spec };
}

/** Converts a cluster with the size M2 or M5 to a flex cluster (docs/contract/api.md 2.15). */
function asFlex(spec: ClusterSpec): ClusterSpec {
  return { ...spec, kind: 'flexBySize', diskSizeGB: FLEX_DISK_GB };
}

export function readNewVersion(body: VersionChoice): string {
  const requested = body.dbMajorVersion;
  if (body.versionReleaseSystem === 'CONTINUOUS' && requested !== undefined) {
    throw versionOfContinuous();
  }
  if (requested === undefined) return DEFAULT_MAJOR_VERSION;
  if (endedVersions.includes(requested)) throw clusterFaults.PLATFORM_CLUSTER_VERSION_DEPRECATED(requested);
  if (!majorVersions.includes(requested))
    throw clusterFaults.DB_VERSION_INVALID(requested).at('dbMajorVersion');
  return requested;
}

/**
 * Returns the version of a new shared-tier cluster. Throws if the body requests another version than the default,
 * because shared-tier clusters can run only this version.
 */
export function tenantVersion(body: VersionChoice): string {
  const version = readNewVersion(body);
  if (version === DEFAULT_MAJOR_VERSION) return version;
  throw clusterFaults.INVALID_TENANT_CONFIGURATION('its version cannot be changed');
}

/** Reads the settings of a body. In the contract's shape, the limits of autoscaling are separate from its flags. */
export function contractSettings(body: Cluster): ClusterSettings {
  const computeLimits = body.providerSettings?.autoScaling?.compute;
  return { ...settingsIn(body), ...(computeLimits === undefined ? {} : { computeLimits }) };
}
