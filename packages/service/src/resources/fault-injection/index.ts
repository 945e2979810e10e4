import { type Family, operationsIn } from '../family.ts';
import { declaredFaultFaults } from './faults.ts';
import { faultInjection } from './injection.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { updateNodes } from './tasks.ts';

/** Fault injection. The operator declares faults to test how clients handle them. */
export const family: Family = {
  name: 'fault-injection',
  operations: operationsIn(operations),
  parameters: { faultId: { description: 'Id of the declared fault.' } },
  migrations,
  tasks: [updateNodes],
  faultInjection,
  faults: [declaredFaultFaults],
};
