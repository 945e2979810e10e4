import { faults } from '@portolan/foundation/faults';

export const inspectorFaults = faults({
  REQUEST_NOT_FOUND: [404, 'The service has recorded no request with the id {0}.'],
});
