import { faults } from '@portolan/foundation/faults';

export const advisorFaults = faults({
  INDEX_STATISTICS_REFUSED: [
    409,
    'The servers of the cluster {0} refuse to report how often indexes are used: {1}',
  ],
});
