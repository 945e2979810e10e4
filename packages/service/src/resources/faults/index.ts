import { type Family, operationsIn } from '../family.ts';
import { faultInjection } from './injection.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { declaredFaultFaults } from './rules.ts';
import { updateNodes } from './tasks.ts';

/** Fault injection. The operator declares faults to test how clients handle them. */
export const family: Family = {
  name: 'faults',
  operations: operationsIn(operations),
  parameters: { faultId: { description: 'Id of the declared fault.' } },
  migrations,
  tasks: [updateNodes],
  faultInjection,
  faults: [declaredFaultFaults],
};
