import { isDeepStrictEqual } from 'node:util';
import { endedVersions, majorVersions } from '../catalogue/versions.ts';
import type { ClusterSpec, ClusterType, Zone } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { type ClusterSettings, withoutDefaults } from '../model/settings.ts';

/** This file has the rules for updates that apply to every body shape. */

/** Returns the type after an update. Only a replica set may change its type, and only to a sharded cluster. */
export function nextType(named: ClusterType | undefined, spec: ClusterSpec): ClusterType {
  const requested = named ?? spec.clusterType;
  if (requested === spec.clusterType) return requested;
  if (requested === 'GEOSHARDED' || spec.clusterType === 'GEOSHARDED') {
    throw clusterFaults.CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE();
  }
  if (requested === 'REPLICASET') throw clusterFaults.SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET();
  if (spec.tenant) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  return requested;
}

/**
 * Throws if an update of a shared-tier cluster changes more than labels, tags and protection. A larger size requires an
 * upgrade.
 */
export function checkTenantUpdate(before: ClusterSpec, after: ClusterSpec): void {
  if (!before.tenant) return;
  const others = ({ settings, ...spec }: ClusterSpec) => {
    const { labels, tags, terminationProtectionEnabled, ...fixed } = settings;
    return { ...spec, settings: withoutDefaults(fixed) };
  };
  if (!isDeepStrictEqual(others(before), others(after))) {
    throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  }
}

export function checkShardCount(clusterType: ClusterType, zones: readonly Zone[], before: ClusterSpec): void {
  if (clusterType === before.clusterType || zones.every(({ numShards }) => numShards === 1)) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
    'a replica set can become a sharded cluster only with one shard',
  );
}

/** The version fields of a body. */
export interface VersionChoice {
  readonly dbMajorVersion?: string;
  readonly versionReleaseSystem?: ClusterSettings['versionReleaseSystem'];
}

export const versionOfContinuous = () =>
  clusterFaults.INVALID_DB_VERSION_CONFIG(
    'dbMajorVersion must be omitted with the release system CONTINUOUS',
  );

/**
 * Throws if a body sets a version although the release system is CONTINUOUS, with which the service chooses
 * the version. The body may repeat the version of a cluster that already has this release system.
 */
export function checkReleaseSystem(body: VersionChoice, { majorVersion, settings }: ClusterSpec): void {
  const { dbMajorVersion, versionReleaseSystem = settings.versionReleaseSystem } = body;
  if (versionReleaseSystem !== 'CONTINUOUS' || dbMajorVersion === undefined) return;
  if (settings.versionReleaseSystem === 'CONTINUOUS' && dbMajorVersion === majorVersion) return;
  throw versionOfContinuous();
}

/**
 * Returns the version after an update. An upgrade moves by one major version; a downgrade is possible only to the
 * pinned feature compatibility version.
 */
export function nextVersion(requested: string | undefined, spec: ClusterSpec): string {
  if (requested === undefined || requested === spec.majorVersion) return spec.majorVersion;
  const [from, to] = [majorVersions.indexOf(spec.majorVersion), majorVersions.indexOf(requested)];
  if (endedVersions.includes(requested)) throw clusterFaults.PLATFORM_CLUSTER_VERSION_DEPRECATED(requested);
  if (to < 0) throw clusterFaults.DB_VERSION_INVALID(requested);
  // Allow a downgrade to the pinned feature compatibility version.
  if (to === from - 1 && spec.pinned?.version === requested) return requested;
  if (to < from) throw clusterFaults.CLUSTER_UPGRADE_INVALID(spec.majorVersion, requested);
  if (spec.pinned && to > majorVersions.indexOf(spec.pinned.version) + 1) {
    throw clusterFaults.INVALID_DB_VERSION_CONFIG(
      `the feature compatibility version is pinned to ${spec.pinned.version}`,
    );
  }
  if (to > from + 1) {
    throw clusterFaults.INVALID_DB_VERSION_CONFIG(
      `version ${spec.majorVersion} must be upgraded to ${majorVersions[from + 1]} first`,
    );
  }
  return requested;
}
