import { type Family, operationsIn } from '../family.ts';
import * as clusters from './clusters.ts';
import { advisorFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export { linesOf } from './log-lines.ts';
export { filterOf, slowQueryIn } from './slow-query.ts';

export const family: Family = {
  name: 'performance-advisor',
  faults: [advisorFaults],
  operations: operationsIn(operations, clusters),
  migrations,
};
