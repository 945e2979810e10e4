import { faults } from '@portolan/foundation/faults';

export const logFaults = faults({
  CLUSTER_HOSTNAMES_UNAVAILABLE: [400, 'The nodes of the cluster {0} have no addresses yet.'],
});
