import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';
import { getPrivateIpMode, listContainers, networkFaults, updatePrivateIpMode } from './operations.ts';

export { ensureContainers } from './containers.ts';
export { privateIpMode } from './rows.ts';

export const family: Family = {
  name: 'networks',
  operations: [listContainers, getPrivateIpMode, updatePrivateIpMode],
  migrations,
  faults: [networkFaults],
};
