import type { Family } from '../family.ts';
import { kubernetesEvents, putBack } from './tasks.ts';

export { clustersOnKubernetes } from './clusters.ts';

/** Clusters on Kubernetes, whose servers the Percona operator runs. */
export const family: Family = {
  name: 'kubernetes',
  operations: [],
  tasks: [putBack],
  eventTypes: kubernetesEvents,
};
