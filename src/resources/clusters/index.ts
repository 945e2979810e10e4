import { on } from '../../events/index.ts';
import type { Family } from '../family.ts';
import { nextAccessRevision } from './access.ts';
import { requestAccess } from './changes.ts';
import { migrations } from './migrations.ts';
import {
  createCluster,
  deleteCluster,
  getCluster,
  getClusterStatus,
  listClusters,
  updateCluster,
} from './operations.ts';
import { clustersOf } from './rows.ts';
import { clusterFaults } from './rules.ts';
import { applyAccess, applyCluster, removeCluster } from './tasks.ts';

/** Users and addresses belong to the project; every change of them has to reach its clusters. */
const followAccess = on(
  [
    'DB_USER_ADDED',
    'DB_USER_UPDATED',
    'DB_USER_DELETED',
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
  operations: [listClusters, createCluster, getCluster, updateCluster, deleteCluster, getClusterStatus],
  parameters: { clusterName: { description: 'The name of the cluster.' } },
  migrations,
  tasks: [applyCluster, applyAccess, removeCluster],
  eventTypes: {
    CLUSTER_CREATED: { description: 'Cluster was created', alertable: false },
    CLUSTER_READY: { description: 'Cluster is ready', alertable: false },
    CLUSTER_UPDATE_SUBMITTED: { description: 'Cluster update was submitted', alertable: false },
    CLUSTER_UPDATE_COMPLETED: { description: 'Cluster update was completed', alertable: false },
    CLUSTER_DELETE_SUBMITTED: { description: 'Cluster deletion was submitted', alertable: false },
    CLUSTER_DELETED: { description: 'Cluster was deleted', alertable: false },
  },
  subscriptions: [followAccess],
  faults: [clusterFaults],
};
