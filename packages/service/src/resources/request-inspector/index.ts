import { generalFaults } from '../../api/faults.ts';
import { type Family, operationsIn } from '../family.ts';
import { inspectorFaults } from './faults.ts';
import * as operations from './operations.ts';

/** Shows the last calls to the API, for debugging clients. */
export const family: Family = {
  name: 'request-inspector',
  operations: operationsIn(operations),
  parameters: {
    requestId: {
      description: 'Id of the request, which the response and the log also contain.',
      pattern: '^[\\w.:-]{1,128}$',
      malformed: () => generalFaults.INVALID_PATH_PARAMETER('requestId'),
    },
  },
  faults: [inspectorFaults],
};
