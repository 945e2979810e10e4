import { isDeepStrictEqual } from 'node:util';
import type { Capability } from '@portolan/engine/interface/capabilities';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { type ClusterSettings, withoutDefaults } from '../model/settings.ts';

/** The capability that changing each setting needs; absent for settings that affect only the service. */
const settingNeeds: Readonly<Record<keyof ClusterSettings, Capability | undefined>> = {
  acceptDataRisksAndForceReplicaSetReconfig: 'topology',
  advancedConfiguration: 'topology',
  autoScaling: 'topology',
  backupEnabled: 'snapshots',
  biConnector: 'topology',
  computeLimits: 'topology',
  configServerManagementMode: 'topology',
  diskWarmingMode: 'topology',
  encryptionAtRestProvider: 'encryption',
  globalClusterSelfManagedSharding: 'topology',
  labels: undefined,
  pitEnabled: 'pointInTime',
  providerBackupEnabled: 'snapshots',
  redactClientLogData: 'topology',
  replicaSetScalingStrategy: 'topology',
  rootCertType: 'topology',
  serverlessBackupOptions: 'pointInTime',
  tags: undefined,
  terminationProtectionEnabled: undefined,
  versionReleaseSystem: 'versions',
};

/** The capability that changing another part of a cluster needs. */
const specNeeds = {
  analyticsSize: 'topology',
  arguments: 'processArguments',
  clusterType: 'topology',
  diskIOPS: 'topology',
  diskSizeGB: 'topology',
  instanceSize: 'topology',
  majorVersion: 'versions',
  pinned: 'versions',
  tenant: 'topology',
  volumeType: 'topology',
  zones: 'topology',
} as const satisfies Partial<Record<keyof ClusterSpec, Capability>>;

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
  const [old, named] = [before, after].map(({ settings }) => withoutDefaults(settings)) as [
    ClusterSettings,
    ClusterSettings,
  ];
  for (const [name, needed] of Object.entries(settingNeeds)) {
    const key = name as keyof ClusterSettings;
    if (needed !== undefined && !isDeepStrictEqual(old[key], named[key])) assertCan(cluster, needed);
  }
}
