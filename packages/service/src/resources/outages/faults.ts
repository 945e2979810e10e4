import { faults } from '@portolan/foundation/faults';

export const outageFaults = faults({
  INVALID_CLUSTER_OUTAGE_SIMULATION_STATE: [
    400,
    'The outage simulation is in the state {0}, but this operation requires the state {1}.',
  ],
  CANNOT_TERMINATE_CLUSTER_WITH_UNDERGOING_REGIONAL_OUTAGE_SIMULATION: [
    400,
    'The cluster {0} cannot be deleted during an outage simulation.',
  ],
});
