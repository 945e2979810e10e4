import type { Family } from '../family.ts';
import { kubernetesEvents, putBack } from './tasks.ts';

export { clustersOnKubernetes } from './clusters.ts';

/** Clusters that an operator runs on Kubernetes. */
export const family: Family = {
  name: 'kubernetes',
  operations: [],
  tasks: [putBack],
  eventTypes: kubernetesEvents,
};
