import { isDeepStrictEqual } from 'node:util';
import { badValue, generalFaults } from '../../../api/faults.ts';
import { type ClusterSpec, hasLocalDisks, isSharded } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { advancedConfigurationOf, type BiConnector, type ClusterSettings } from '../model/settings.ts';
import { specFaults } from './faults.ts';

/** Throws if a setting is invalid for this kind of cluster. */
export function checkFields(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  checkCiphers(spec, before);
  checkBackups(spec, before);
  checkConnector(spec);
  checkSharding(spec, before);
  checkSnapshotCopy(spec);
}

function checkSnapshotCopy({ settings, zones }: ClusterSpec): void {
  if (settings.useAwsTimeBasedSnapshotCopyForFastInitialSync !== true) return;
  if (zones.every(({ regions }) => regions.every(({ provider }) => provider === 'AWS'))) return;
  throw specFaults.AWS_TIME_BASED_SNAPSHOT_COPY_REQUIRES_AWS_NODES();
}

/**
 * Throws if a request sets ciphers without the mode CUSTOM. A stored list without this mode is accepted until a request
 * changes the list.
 */
function checkCiphers({ settings }: ClusterSpec, before: ClusterSpec | undefined): void {
  const { tlsCipherConfigMode, ...tls } = advancedConfigurationOf(settings);
  const lists = ['customOpensslCipherConfigTls12', 'customOpensslCipherConfigTls13'] as const;
  const given = lists.find((name) => tls[name].length > 0);
  if (given === undefined || tlsCipherConfigMode === 'CUSTOM') return;
  if (isDeepStrictEqual(settings.advancedConfiguration, before?.settings.advancedConfiguration)) return;
  throw badValue(given, 'requires the tlsCipherConfigMode CUSTOM');
}

/**
 * Throws if a request enables legacy backups on a cluster that does not have them already, or if the backup settings
 * are inconsistent.
 */
function checkBackups(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  const { backupEnabled = false, pitEnabled = false, providerBackupEnabled = false } = spec.settings;
  if (spec.tenant && (backupEnabled || pitEnabled || providerBackupEnabled)) {
    throw specFaults.INVALID_TENANT_BACKUP_ENABLED();
  }
  if (backupEnabled && before?.settings.backupEnabled !== true) {
    throw providerBackupEnabled
      ? clusterFaults.PLATFORM_BACKUP_CONFLICTING_OPTIONS()
      : clusterFaults.CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS();
  }
  requireBackupField(spec.settings, 'providerBackupEnabled');
  if (before === undefined) checkCloudBackup(spec);
}

/**
 * Throws if a body enables continuous backup without setting cloud backup. `field` is the name of the field for cloud
 * backup in the body.
 */
export function requireBackupField(
  { pitEnabled, providerBackupEnabled }: ClusterSettings,
  field: 'providerBackupEnabled' | 'backupEnabled',
): void {
  if (pitEnabled && providerBackupEnabled === undefined) throw generalFaults.MISSING_ATTRIBUTE(field);
}

/**
 * Throws if cloud backup is disabled although another setting needs it. For updates, this check runs after the hooks of
 * other families, since the fault of a compliance policy is more specific.
 */
export function checkCloudBackup(spec: ClusterSpec): void {
  const { pitEnabled, providerBackupEnabled } = spec.settings;
  if (providerBackupEnabled) return;
  if (pitEnabled)
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION('pitEnabled requires backups, which are disabled');
  if (hasLocalDisks(spec)) throw specFaults.NVME_STORAGE_PROVIDER_BACKUP_REQUIRED();
}

const readPreferences = ['PRIMARY', 'SECONDARY', 'ANALYTICS'];

/**
 * Returns the settings of the BI connector, with defaults. By default, the connector reads from analytics nodes if the
 * cluster has any.
 */
export function connectorOf({ settings, zones }: ClusterSpec): Required<BiConnector> {
  const { enabled = false, readPreference } = settings.biConnector ?? {};
  const analytics = zones.some(({ regions }) => regions.some((region) => region.analytics > 0));
  return {
    enabled,
    readPreference: readPreference?.toUpperCase() ?? (analytics ? 'ANALYTICS' : 'SECONDARY'),
  };
}

function checkConnector(spec: ClusterSpec): void {
  const { biConnector } = spec.settings;
  if (biConnector === undefined) return;
  if (spec.tenant && biConnector.enabled) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('shared-tier clusters do not support the BI connector');
  }
  const { readPreference } = connectorOf(spec);
  if (!readPreferences.includes(readPreference)) {
    throw generalFaults
      .INVALID_ENUM_VALUE(biConnector.readPreference ?? '')
      .at('biConnector.readPreference', `must be one of ${readPreferences.join(', ')}`);
  }
  const analytics = spec.zones.some(({ regions }) => regions.some((region) => region.analytics > 0));
  if (readPreference === 'ANALYTICS' && !analytics) {
    throw specFaults.INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY();
  }
}

function checkSharding(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  const { settings } = spec;
  const own = settings.globalClusterSelfManagedSharding === true;
  if (before && own !== (before.settings.globalClusterSelfManagedSharding === true)) {
    throw specFaults.CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING();
  }
  if (own && spec.clusterType !== 'GEOSHARDED') {
    throw specFaults.CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER();
  }
  if (settings.configServerManagementMode === 'FIXED_TO_DEDICATED' && !isSharded(spec)) {
    throw badValue('configServerManagementMode', 'can be FIXED_TO_DEDICATED only for sharded clusters');
  }
}
