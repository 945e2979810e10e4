import { faults } from '@portolan/foundation/faults';

export const declaredFaultFaults = faults({
  ELECTION_NOT_POSSIBLE: [409, 'No other member of the cluster {0} can become primary now.'],
  FAULT_NOT_FOUND: [404, 'No declared fault has the id {0}.'],
});
