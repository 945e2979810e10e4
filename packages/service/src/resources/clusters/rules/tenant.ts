import { type ClusterSpec, isSharded } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { advancedConfigurationOf, type ClusterSettings } from '../model/settings.ts';

/** Settings with a fixed value in shared-tier clusters. Settings with error codes of their own are not listed. */
const fixed: { readonly [Name in keyof ClusterSettings]?: ClusterSettings[Name] } = {
  configServerManagementMode: 'PLATFORM_MANAGED',
  diskWarmingMode: 'FULLY_WARMED',
  redactClientLogData: false,
  replicaSetScalingStrategy: 'WORKLOAD_TYPE',
  versionReleaseSystem: 'LTS',
};

/** Throws if a spec is invalid for a shared-tier cluster, which has exactly three electable nodes in one region. */
export function checkTenant(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  if (isSharded(spec)) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('it must be a replica set');
  }
  const regions = spec.zones.flatMap((zone) => zone.regions);
  const nodes = regions.reduce(
    (sum, { electable, readOnly, analytics }) => sum + electable + readOnly + analytics,
    0,
  );
  if (regions.length !== 1 || nodes !== 3 || regions[0]?.electable !== 3) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('it must have three electable nodes in one region');
  }
  // Check these settings only for new shared-tier clusters, since updates cannot change them.
  if (!before?.tenant) checkSettings(spec.settings);
}

function checkSettings(settings: ClusterSettings): void {
  const names = Object.keys(fixed) as (keyof typeof fixed)[];
  const set = names.find((name) => settings[name] !== undefined && settings[name] !== fixed[name]);
  if (set !== undefined) throw clusterFaults.INVALID_TENANT_CONFIGURATION(`${set} cannot be changed`);
  if (settings.autoScaling?.diskGBEnabled) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('disk autoscaling is not supported');
  }
  const { minimumEnabledTlsProtocol, tlsCipherConfigMode } = advancedConfigurationOf(settings);
  if (minimumEnabledTlsProtocol !== 'TLS1_2' || tlsCipherConfigMode !== 'DEFAULT') {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('advancedConfiguration cannot be changed');
  }
}
