import { type Family, operationsIn } from '../family.ts';
import { interference } from './interference.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { declaredFaultFaults } from './rules.ts';
import { tellNodes } from './tasks.ts';

/** Faults that the operator declares, so that others can see what their clients do then. */
export const family: Family = {
  name: 'faults',
  operations: operationsIn(operations),
  parameters: { faultId: { description: 'The id of a declared fault.' } },
  migrations,
  tasks: [tellNodes],
  interference,
  faults: [declaredFaultFaults],
};
