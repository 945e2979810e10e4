import { isDeepStrictEqual } from 'node:util';
import type { Capability } from '@portolan/engine/interface/capabilities';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel, ClusterSpec, ServerArguments } from '../model/cluster.ts';
import { acceptedArguments } from '../model/servers.ts';
import { type ClusterSettings, withoutDefaults } from '../model/settings.ts';
import { specFaults } from './faults.ts';
import { shapeNeeds } from './shape-needs.ts';

/**
 * Returns whether a value of a setting has an effect that an engine may lack. By default, every value except the
 * default value has such an effect.
 */
type Effect<Name extends keyof ClusterSettings> = (value: NonNullable<ClusterSettings[Name]>) => boolean;

interface SettingNeed<Name extends keyof ClusterSettings> {
  readonly capability: Capability;
  readonly when?: Effect<Name>;
}

/** The capability that each setting needs; absent for settings that affect only the service. */
const settingNeeds: { readonly [Name in keyof Required<ClusterSettings>]: SettingNeed<Name> | undefined } = {
  acceptDataRisksAndForceReplicaSetReconfig: { capability: 'serverSettings' },
  adaptiveCapacity: undefined,
  analyticsCompute: { capability: 'autoScaling', when: ({ enabled }) => enabled === true },
  advancedConfiguration: { capability: 'topology' },
  autoScaling: {
    capability: 'autoScaling',
    when: ({ compute, diskGBEnabled }) => compute?.enabled === true || diskGBEnabled === true,
  },
  backupEnabled: { capability: 'snapshots' },
  biConnector: { capability: 'serverSettings', when: ({ enabled }) => enabled === true },
  computeLimits: { capability: 'autoScaling' },
  configServerManagementMode: {
    capability: 'serverSettings',
    when: (mode) => mode === 'PLATFORM_MANAGED',
  },
  diskWarmingMode: { capability: 'serverSettings' },
  encryptionAtRestProvider: { capability: 'encryption' },
  globalClusterSelfManagedSharding: { capability: 'serverSettings' },
  hasAnalyticsScaling: undefined,
  hasZonesOfAnySize: undefined,
  labels: undefined,
  pitEnabled: { capability: 'pointInTime' },
  providerBackupEnabled: { capability: 'snapshots' },
  redactClientLogData: { capability: 'topology' },
  replicaSetScalingStrategy: { capability: 'serverSettings' },
  rootCertType: { capability: 'topology' },
  serverlessBackupOptions: { capability: 'pointInTime' },
  tags: undefined,
  terminationProtectionEnabled: undefined,
  useAwsTimeBasedSnapshotCopyForFastInitialSync: undefined,
  versionReleaseSystem: { capability: 'versions' },
};

/** The capability that is needed to change each field of a specification other than the settings. */
const specNeeds = {
  analyticsSize: 'topology',
  arguments: 'processArguments',
  clusterType: 'topology',
  diskIOPS: 'topology',
  diskSizeGB: 'topology',
  instanceSize: 'topology',
  majorVersion: 'versions',
  pinned: 'compatibility',
  tenant: 'topology',
  volumeType: 'topology',
  zones: 'topology',
} as const satisfies Partial<Record<keyof ClusterSpec, Capability>>;

type ArgumentNeeds = {
  readonly [Name in keyof ServerArguments]?: Capability | readonly Capability[];
};

/**
 * The capabilities that each process argument needs in addition to `processArguments`. A minimum retention of the oplog
 * is possible only with disks that grow automatically.
 */
const argumentNeeds = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: 'commandArguments',
  chunkMigrationConcurrency: 'startArguments',
  defaultMaxTimeMS: 'commandArguments',
  defaultReadConcern: 'commandArguments',
  defaultWriteConcern: 'commandArguments',
  javascriptEnabled: 'startArguments',
  oplogMinRetentionHours: ['startArguments', 'autoScaling'],
  oplogSizeMB: 'firstStartArguments',
  queryStatsLogVerbosity: 'firstStartArguments',
  sampleRefreshIntervalBIConnector: 'firstStartArguments',
  sampleSizeBIConnector: 'firstStartArguments',
} as const satisfies ArgumentNeeds;

type Spec = Pick<ClusterSpec, 'settings'> & Partial<ClusterSpec>;

/** An empty specification, with which the specification of a new cluster is compared. */
const nothing: Spec = { settings: {} };

/** Throws NOT_SUPPORTED_BY_ENGINE if a change needs a capability that the engine of the cluster lacks. */
export function checkEngine(
  cluster: ClusterModel,
  change: Partial<Pick<ClusterModel, 'spec' | 'paused'>>,
): void {
  if (change.paused !== undefined && change.paused !== cluster.paused) assertCan(cluster, 'pause');
  if (change.spec === undefined) return;
  const [before, after] = [cluster.spec, change.spec];
  for (const [name, needed] of Object.entries(specNeeds)) {
    const key = name as keyof typeof specNeeds;
    if (!isDeepStrictEqual(before[key], after[key])) assertCan(cluster, needed);
  }
  checkParts(cluster, before, after);
}

/** Throws NOT_SUPPORTED_BY_ENGINE if a new cluster needs a capability that its engine lacks. */
export function checkNewOnEngine(cluster: ClusterModel): void {
  checkParts(cluster, nothing, cluster.spec);
}

function checkParts(cluster: ClusterModel, before: Spec, after: ClusterSpec): void {
  for (const capability of shapeNeeds(after, before)) assertCan(cluster, capability);
  checkArguments(cluster, before.arguments, after.arguments);
  const [old, named] = [withoutDefaults(before.settings), withoutDefaults(after.settings)];
  for (const name of Object.keys(settingNeeds) as (keyof ClusterSettings)[]) {
    checkSetting(cluster, name, old, named);
  }
}

/** Throws NOT_SUPPORTED_BY_ENGINE if a change of process arguments needs a capability that the engine lacks. */
export function checkArgumentNeeds(
  cluster: ClusterModel,
  before: ServerArguments = {},
  after: ServerArguments = {},
): void {
  const needs: ArgumentNeeds = argumentNeeds;
  for (const name of changedArguments(before, after))
    for (const need of [needs[name] ?? []].flat()) assertCan(cluster, need);
}

/** Returns the process arguments that get another value. */
function changedArguments(before: ServerArguments, after: ServerArguments): (keyof ServerArguments)[] {
  const names = Object.keys(after) as (keyof ServerArguments)[];
  return names.filter((name) => {
    const value = after[name];
    return value !== null && value !== undefined && !isDeepStrictEqual(value, before[name]);
  });
}

/** Throws if the engine or the servers of a cluster do not accept a process argument whose value changes. */
function checkArguments(
  cluster: ClusterModel,
  before: ServerArguments = {},
  after: ServerArguments = {},
): void {
  checkArgumentNeeds(cluster, before, after);
  const accepted = acceptedArguments(cluster);
  for (const name of changedArguments(before, after)) {
    if (accepted !== undefined && accepted[name] === undefined)
      throw specFaults.PROCESS_ARGUMENT_NOT_ACCEPTED(name, cluster.name);
  }
}

function checkSetting<Name extends keyof ClusterSettings>(
  cluster: ClusterModel,
  name: Name,
  before: ClusterSettings,
  after: ClusterSettings,
): void {
  const need = settingNeeds[name] as SettingNeed<Name> | undefined;
  if (need === undefined || isDeepStrictEqual(before[name], after[name])) return;
  const isOn = (value: ClusterSettings[Name]): boolean =>
    value !== undefined && value !== null && (need.when?.(value) ?? true);
  // Accept a change between values without an effect even if the engine lacks the capability.
  if (need.when === undefined || isOn(before[name]) || isOn(after[name])) assertCan(cluster, need.capability);
}
