import { generalFaults } from '../../../api/faults.ts';
import { type ClusterSpec, hasLocalDisks, isSharded } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { specFaults } from './faults.ts';

/** What the rules look at among the fields that are kept. */
interface Kept {
  readonly biConnector?: { readonly enabled?: boolean; readonly readPreference?: string };
  readonly configServerManagementMode?: string;
  readonly encryptionAtRestProvider?: string;
  readonly globalClusterSelfManagedSharding?: boolean;
  readonly backupEnabled?: boolean;
  readonly pitEnabled?: boolean;
  readonly providerBackupEnabled?: boolean;
}

/** Throws for kept fields that a cluster like this cannot have. */
export function checkFields(spec: ClusterSpec, before: ClusterSpec | undefined): void {
  const kept = spec.kept as Kept;
  checkEncryption(spec, kept);
  checkBackups(spec, kept);
  checkConnector(spec, kept);
  checkSharding(spec, kept, before);
}

function checkEncryption({ tenant }: ClusterSpec, { encryptionAtRestProvider = 'NONE' }: Kept): void {
  if (encryptionAtRestProvider === 'NONE') return;
  if (tenant) throw specFaults.CANNOT_USE_ENCRYPTION_AT_REST_TENANT();
  // Keys are a project's; no project has any yet.
  throw specFaults.ENCRYPTION_AT_REST_NOT_ENABLED(encryptionAtRestProvider);
}

function checkBackups(spec: ClusterSpec, kept: Kept): void {
  const { backupEnabled = false, pitEnabled = false, providerBackupEnabled = false } = kept;
  if (spec.tenant && (backupEnabled || pitEnabled || providerBackupEnabled)) {
    throw specFaults.INVALID_TENANT_BACKUP_ENABLED();
  }
  if (pitEnabled && !providerBackupEnabled) throw generalFaults.MISSING_ATTRIBUTE('providerBackupEnabled');
  if (hasLocalDisks(spec) && !providerBackupEnabled) throw specFaults.NVME_STORAGE_PROVIDER_BACKUP_REQUIRED();
}

const readPreferences = ['primary', 'secondary', 'analytics'];

/** The connector's default: analytics nodes, where there are any. */
export function connectorOf({ kept, zones }: ClusterSpec): Required<NonNullable<Kept['biConnector']>> {
  const { enabled = false, readPreference } = (kept as Kept).biConnector ?? {};
  const analytics = zones.some(({ regions }) => regions.some((region) => region.analytics > 0));
  return {
    enabled,
    readPreference: readPreference?.toLowerCase() ?? (analytics ? 'analytics' : 'secondary'),
  };
}

function checkConnector(spec: ClusterSpec, { biConnector }: Kept): void {
  if (biConnector === undefined) return;
  if (spec.tenant && biConnector.enabled) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('a shared size has no connector');
  }
  const { readPreference } = connectorOf(spec);
  if (!readPreferences.includes(readPreference)) {
    throw generalFaults.INVALID_ENUM_VALUE(biConnector.readPreference ?? '');
  }
  const analytics = spec.zones.some(({ regions }) => regions.some((region) => region.analytics > 0));
  if (readPreference === 'analytics' && !analytics) {
    throw specFaults.INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY();
  }
}

function checkSharding(spec: ClusterSpec, kept: Kept, before: ClusterSpec | undefined): void {
  const own = kept.globalClusterSelfManagedSharding === true;
  if (before && own !== ((before.kept as Kept).globalClusterSelfManagedSharding === true)) {
    throw specFaults.CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING();
  }
  if (own && spec.clusterType !== 'GEOSHARDED') {
    throw specFaults.CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER();
  }
  if (kept.configServerManagementMode !== undefined && !isSharded(spec)) {
    throw generalFaults.INVALID_ATTRIBUTE('configServerManagementMode');
  }
}
