import { ID_PATTERN } from '@portolan/foundation/ids';
import { generalFaults } from '../../api/faults.ts';
import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { eventFaults } from './rules.ts';
import { daily, forgetOld } from './tasks.ts';

export const family: Family = {
  name: 'events',
  operations: operationsIn(operations),
  parameters: {
    eventId: {
      description: 'The event.',
      pattern: ID_PATTERN,
      malformed: () => generalFaults.INVALID_PATH_PARAMETER('eventId'),
    },
  },
  tasks: [forgetOld],
  timetable: [daily],
  faults: [eventFaults],
};
