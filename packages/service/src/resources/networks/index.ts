import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { networkFaults } from './rules.ts';

export { customDnsChanged, ensureContainers } from './changes.ts';
export { customDns, privateIpMode } from './rows.ts';

export const family: Family = {
  name: 'networks',
  operations: operationsIn(operations),
  parameters: { containerId: { description: 'Id of the virtual network.', pattern: ID_PATTERN } },
  migrations,
  faults: [networkFaults],
};
