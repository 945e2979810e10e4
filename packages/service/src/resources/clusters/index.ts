import type { Family } from '../family.ts';
import { followAccess, forgetNeedlessPasswords, keepNeededPasswords } from './lifecycle/access.ts';
import { followAuditing } from './lifecycle/auditing.ts';
import { expireGrant } from './lifecycle/employee-access.ts';
import { followKeys } from './lifecycle/encryption.ts';
import { clusterEvents } from './lifecycle/events.ts';
import { failOver } from './lifecycle/failover.ts';
import { failoverFaults, pinFaults } from './lifecycle/faults.ts';
import { pauseIdleCluster } from './lifecycle/idleness.ts';
import { stopStart } from './lifecycle/instances.ts';
import { followCustomDns } from './lifecycle/names.ts';
import { expirePin } from './lifecycle/pins.ts';
import { repairCluster, watchDeployments, watchHosts } from './lifecycle/repairs.ts';
import { resumeCluster } from './lifecycle/resumption.ts';
import { applyAccess, applyCluster, removeCluster } from './lifecycle/tasks.ts';
import { migrations } from './migrations.ts';
import { capabilityFaults, clusterFaults } from './model/faults.ts';
import { operations } from './operations/index.ts';
import { argumentFaults } from './process-arguments/faults.ts';
import { autoScalingFaults, diskFaults, engineRegionFaults } from './rules/faults.ts';
import { specFaults } from './rules/index.ts';
import { sampleFaults } from './sample-data/faults.ts';
import { loadSampleData } from './sample-data/tasks.ts';

export { isRegion, nativeRegionName, providers, regionNamed } from './catalogue/regions.ts';
export { instanceSizes, sizeNumber } from './catalogue/sizes.ts';
export { DEFAULT_MAJOR_VERSION, majorVersionOfCopy, versionOfCopy } from './catalogue/versions.ts';
export { accessOf, applyAccessAgain, enforcesAccess, isBehindAccess } from './lifecycle/access.ts';
export { admitWork } from './lifecycle/admission.ts';
export { changeCluster, changeSettings, newMark, requestRemoval } from './lifecycle/changes.ts';
export { keyProviderOf } from './lifecycle/encryption.ts';
export { beginExclusiveWork, endExclusiveWork } from './lifecycle/exclusive-work.ts';
export {
  addFound,
  applySettingsAgain,
  followFound,
  isBehindSettings,
  type NewFound,
  storedFacts,
} from './lifecycle/found.ts';
export {
  type ClusterChange,
  type ClusterRemoval,
  clusterChanging,
  clusterRemoved,
  clusterUnpinned,
  clusterWorkStarting,
} from './lifecycle/hooks.ts';
export { awaitsMajority, isForced } from './lifecycle/majority.ts';
export { dueVersion, upgradeVersion } from './lifecycle/releases.ts';
export { restartNodes } from './lifecycle/repairs.ts';
export { endRetention, retainCluster } from './lifecycle/retained-clusters.ts';
export { applyStops, setStopped } from './lifecycle/stops.ts';
export { isSilent, membersOf } from './lifecycle/topology.ts';
export { type ClusterWork, enqueueWork, workKey } from './lifecycle/work.ts';
export { clusterCounters } from './lists.ts';

export { assertCan, can, hasTrait, missingCapabilities } from './model/capabilities.ts';
export {
  type ClusterModel,
  configServers,
  firstProvider,
  hasLocalDisks,
  instanceSizeOf,
  isSharded,
  markIn,
  type PlacedMember,
  replicaSetsOf,
  setNameOf,
  shownVersion,
  type Zone,
} from './model/cluster.ts';
export { clusterFaults } from './model/faults.ts';
export { tenantFamilyOf } from './model/kinds.ts';
export { duplicateName } from './model/names.ts';
export {
  compatibilityOf,
  connectionLimitOf,
  diskBytesOf,
  foundMembers,
  isStandalone,
} from './model/servers.ts';
export { advancedConfigurationOf, autoScalingOf } from './model/settings.ts';
export {
  requireAny,
  requireCluster,
  requireDedicated,
  requireDedicatedCluster,
  requireNamed,
  requireRegion,
  requireSearched,
  requireServed,
  requireWithRetained,
  SMALLEST_DEDICATED,
} from './require.ts';
export {
  type ClusterPlace,
  clusterById,
  clustersIn,
  clustersMarked,
  clustersNamed,
  findCluster,
  isRetainedName,
  projectsWithClusters,
  recordEngineFacts,
  runningOn,
} from './rows.ts';
export {
  connectionTexts,
  formsOf,
  hostName,
  memberNames,
  optionsOf,
  reachedMembers,
  seedName,
} from './shapes/connection-strings.ts';
export { connectionFields } from './shapes/contract/connection-fields.ts';
export type { Field, FieldSupport } from './shapes/contract/field.ts';
export { clusterFields } from './shapes/contract/fields.ts';
export { shownZoneId, zoneNamed } from './shapes/named-zones.ts';

export const family: Family = {
  name: 'clusters',
  operations,
  parameters: {
    clusterName: { description: 'Name of the cluster.' },
    sampleDatasetId: { description: 'Id of a sample data load.' },
    name: { description: 'Name of the cluster.' },
  },
  migrations,
  tasks: [
    applyCluster,
    applyAccess,
    failOver,
    stopStart,
    expirePin,
    expireGrant,
    resumeCluster,
    pauseIdleCluster,
    repairCluster,
    loadSampleData,
    removeCluster,
  ],
  eventTypes: clusterEvents,
  background: [watchDeployments, watchHosts],
  subscriptions: [followAccess],
  hooks: [followKeys, followAuditing, followCustomDns, keepNeededPasswords, forgetNeedlessPasswords],
  faults: [
    clusterFaults,
    capabilityFaults,
    engineRegionFaults,
    specFaults,
    diskFaults,
    autoScalingFaults,
    argumentFaults,
    failoverFaults,
    pinFaults,
    sampleFaults,
  ],
};
