import { type ClusterSpec, isSharded } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { advancedConfigurationOf, type ClusterSettings } from '../model/settings.ts';

/** What cannot be set for a shared size, and the value that it has there; a code of its own refuses other things. */
const fixed: { readonly [Name in keyof ClusterSettings]?: ClusterSettings[Name] } = {
  configServerManagementMode: 'PLATFORM_MANAGED',
  diskWarmingMode: 'FULLY_WARMED',
  redactClientLogData: false,
  replicaSetScalingStrategy: 'WORKLOAD_TYPE',
  versionReleaseSystem: 'LTS',
};

/** Throws for what a cluster of a shared size cannot be: it has three electable nodes in one region and no other. */
export function checkTenant(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  if (isSharded(spec)) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('a shared size is a replica set');
  }
  const regions = spec.zones.flatMap((zone) => zone.regions);
  const nodes = regions.reduce(
    (sum, { electable, readOnly, analytics }) => sum + electable + readOnly + analytics,
    0,
  );
  if (regions.length !== 1 || nodes !== 3 || regions[0]?.electable !== 3) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('it has three electable nodes in one region');
  }
  // Of one that is there already, updates cannot change these.
  if (!before?.tenant) checkSettings(spec.settings);
}

function checkSettings(settings: ClusterSettings): void {
  const names = Object.keys(fixed) as (keyof typeof fixed)[];
  const set = names.find((name) => settings[name] !== undefined && settings[name] !== fixed[name]);
  if (set !== undefined) throw clusterFaults.INVALID_TENANT_CONFIGURATION(`${set} is fixed`);
  if (settings.autoScaling?.diskGBEnabled) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('its disk does not grow');
  }
  const { minimumEnabledTlsProtocol, tlsCipherConfigMode } = advancedConfigurationOf(settings);
  if (minimumEnabledTlsProtocol !== 'TLS1_2' || tlsCipherConfigMode !== 'DEFAULT') {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('advancedConfiguration is fixed');
  }
}
