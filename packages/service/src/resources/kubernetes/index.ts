import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';
import { deleteUsers } from './rows.ts';
import { kubernetesEvents, putBack } from './tasks.ts';

export { clustersOnKubernetes } from './clusters.ts';

/** Clusters on Kubernetes, whose servers the Percona operator runs. */
export const family: Family = {
  name: 'kubernetes',
  operations: [],
  migrations,
  tasks: [putBack],
  eventTypes: kubernetesEvents,
  hooks: [subscribe(clusterRemoved, (tx, { cluster }) => deleteUsers(tx, cluster.id))],
};
