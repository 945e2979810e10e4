import type { Part } from '../part.ts';
import { tenantFaults } from './faults.ts';
import * as flex from './flex.ts';
import * as serverless from './serverless.ts';
import { followFixedSchedule, startFixedSchedule } from './tasks.ts';

export const tenants: Part = {
  operations: [flex, serverless],
  tasks: [followFixedSchedule],
  hooks: [startFixedSchedule],
  faults: [tenantFaults],
};
