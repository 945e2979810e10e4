import { faults } from '@portolan/foundation/faults';

export const accessHistoryFaults = faults({
  HOST_NOT_FOUND: [404, 'No cluster of the project {1} has a node on the host {0}.'],
});
