import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { endpointFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export const family: Family = {
  name: 'private-endpoints',
  operations: operationsIn(operations),
  parameters: {
    endpointId: { description: 'Id of the private endpoint. For GCP: name of the endpoint group.' },
    endpointServiceId: { description: 'Id of the endpoint service.', pattern: ID_PATTERN },
  },
  migrations,
  eventTypes: {
    ENDPOINT_SERVICE_CREATED: 'Endpoint service was recorded',
    ENDPOINT_SERVICE_DELETED: 'Endpoint service was deleted',
  },
  faults: [endpointFaults],
};
