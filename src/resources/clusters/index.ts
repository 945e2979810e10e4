import { on } from '../../events/index.ts';
import type { Family } from '../family.ts';
import { nextAccessRevision } from './lifecycle/access.ts';
import { requestAccess } from './lifecycle/changes.ts';
import { failOver, failoverFaults } from './lifecycle/failover.ts';
import { pauseIdleCluster } from './lifecycle/idleness.ts';
import { repairCluster, watchDeployments } from './lifecycle/repairs.ts';
import { resumeCluster } from './lifecycle/resumption.ts';
import { applyAccess, applyCluster, removeCluster } from './lifecycle/tasks.ts';
import { migrations } from './migrations.ts';
import { clusterFaults } from './model/faults.ts';
import { getEntryStatus, listAddresses, listControlPlaneAddresses } from './operations/addresses.ts';
import { listAllClusters } from './operations/all-projects.ts';
import { getAutoScalingMode, listRegions, listVersions } from './operations/catalogue.ts';
import {
  createCluster,
  deleteCluster,
  getCluster,
  getClusterStatus,
  listClusters,
  updateCluster,
  upgradeSharedCluster,
} from './operations/clusters.ts';
import { grantEmployeeAccess, revokeEmployeeAccess } from './operations/employee-access.ts';
import { testFailover } from './operations/failover.ts';
import {
  createFlexCluster,
  deleteFlexCluster,
  getFlexCluster,
  listFlexClusters,
  updateFlexCluster,
  upgradeFlexCluster,
} from './operations/flex.ts';
import { expirePin, pinFaults, pinVersion, unpinVersion } from './operations/pins.ts';
import { getProcessArguments, updateProcessArguments } from './operations/process-arguments.ts';
import { getSampleDatasetLoadStatus, loadSampleDataset, sampleFaults } from './operations/sample-data.ts';
import {
  createServerlessInstance,
  deleteServerlessInstance,
  getServerlessInstance,
  listServerlessInstances,
  upgradeToServerless,
} from './operations/serverless.ts';
import { argumentFaults } from './process-arguments/rules.ts';
import { clustersOf } from './rows.ts';
import { autoScalingFaults } from './rules/autoscaling.ts';
import { diskFaults } from './rules/disk-decrease.ts';
import { specFaults } from './rules/index.ts';
import { loadSampleData } from './sample-data/tasks.ts';

export { clusterEffects, connectionEffects, type Effect } from './shapes/contract/field-support.ts';

/** Users and addresses belong to the project; every change of them has to reach its clusters. */
const followAccess = on(
  [
    'DB_USER_ADDED',
    'DB_USER_UPDATED',
    'DB_USER_DELETED',
    'DB_CUSTOM_ROLE_ADDED',
    'DB_CUSTOM_ROLE_UPDATED',
    'DB_CUSTOM_ROLE_DELETED',
    'NETWORK_PERMISSION_ENTRY_ADDED',
    'NETWORK_PERMISSION_ENTRY_REMOVED',
  ],
  async (tx, { groupId }) => {
    if (groupId === undefined) return;
    await nextAccessRevision(tx, groupId);
    for (const cluster of await clustersOf(tx, groupId)) await requestAccess(tx, cluster);
  },
);

export const family: Family = {
  name: 'clusters',
  operations: [
    listClusters,
    createCluster,
    listRegions,
    getCluster,
    updateCluster,
    deleteCluster,
    getClusterStatus,
    getProcessArguments,
    updateProcessArguments,
    getAutoScalingMode,
    testFailover,
    pinVersion,
    unpinVersion,
    grantEmployeeAccess,
    revokeEmployeeAccess,
    listVersions,
    listAddresses,
    listControlPlaneAddresses,
    getEntryStatus,
    listAllClusters,
    upgradeSharedCluster,
    upgradeToServerless,
    loadSampleDataset,
    getSampleDatasetLoadStatus,
    listFlexClusters,
    createFlexCluster,
    getFlexCluster,
    updateFlexCluster,
    deleteFlexCluster,
    upgradeFlexCluster,
    listServerlessInstances,
    createServerlessInstance,
    getServerlessInstance,
    deleteServerlessInstance,
  ],
  parameters: {
    clusterName: { description: 'The name of the cluster.' },
    sampleDatasetId: { description: 'The id of a load of the sample data.' },
    name: { description: 'The name of the flex cluster or serverless instance.' },
  },
  migrations,
  tasks: [
    applyCluster,
    applyAccess,
    failOver,
    expirePin,
    resumeCluster,
    pauseIdleCluster,
    repairCluster,
    loadSampleData,
    removeCluster,
  ],
  eventTypes: {
    CLUSTER_CREATED: { description: 'Cluster was created', alertable: false },
    CLUSTER_READY: { description: 'Cluster is ready', alertable: false },
    CLUSTER_UPDATE_SUBMITTED: { description: 'Cluster update was submitted', alertable: false },
    CLUSTER_UPDATE_COMPLETED: { description: 'Cluster update was completed', alertable: false },
    CLUSTER_AUTOMATICALLY_PAUSED: {
      description: 'Cluster was paused because nobody used it',
      alertable: false,
    },
    CLUSTER_DELETE_SUBMITTED: { description: 'Cluster deletion was submitted', alertable: false },
    CLUSTER_TEST_FAILOVER_SUBMITTED: { description: 'A test failover was requested', alertable: false },
    EMPLOYEE_ACCESS_GRANTED: { description: 'Staff was granted access to a cluster', alertable: false },
    EMPLOYEE_ACCESS_REVOKED: { description: 'Staff lost its access to a cluster', alertable: false },
    SAMPLE_DATASET_LOAD_INITIATED: {
      description: 'A load of the sample data was requested',
      alertable: false,
    },
    CLUSTER_NODES_LOST: { description: 'Nodes of a cluster do not run', alertable: false },
    CLUSTER_REPAIRED: { description: 'The nodes of a cluster run again', alertable: false },
    CLUSTER_DELETED: { description: 'Cluster was deleted', alertable: false },
  },
  background: [watchDeployments],
  subscriptions: [followAccess],
  faults: [
    clusterFaults,
    specFaults,
    diskFaults,
    autoScalingFaults,
    argumentFaults,
    failoverFaults,
    pinFaults,
    sampleFaults,
  ],
};
