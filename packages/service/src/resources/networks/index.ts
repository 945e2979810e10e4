import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { networkFaults } from './rules.ts';

export { customDnsChanged, ensureContainers } from './changes.ts';
export {
  type ContainerRow,
  containersOf,
  customDns,
  deleteContainer,
  findContainer,
  insertContainer,
  privateIpMode,
  updateContainer,
} from './rows.ts';
export { networkFaults, overlaps } from './rules.ts';

export const family: Family = {
  name: 'networks',
  operations: operationsIn(operations),
  migrations,
  faults: [networkFaults],
};
