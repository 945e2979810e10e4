import { type Family, operationsIn } from '../family.ts';
import { networkFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export { customDnsChanged, ensureContainers } from './changes.ts';
export { networkFaults } from './faults.ts';
export {
  type ContainerRow,
  containersOf,
  customDns,
  deleteContainer,
  findContainer,
  insertContainer,
  privateIpMode,
  savePrivateIpMode,
  updateContainer,
} from './rows.ts';
export { overlaps } from './rules.ts';
export { PrivateIpMode } from './schema.ts';

export const family: Family = {
  name: 'networks',
  operations: operationsIn(operations),
  migrations,
  faults: [networkFaults],
};
