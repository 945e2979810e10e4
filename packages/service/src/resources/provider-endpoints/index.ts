import { type Family, operationsIn } from '../family.ts';
import { providerEndpointFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export const family: Family = {
  name: 'provider-endpoints',
  operations: operationsIn(operations),
  migrations,
  faults: [providerEndpointFaults],
};
