import { ID_PATTERN } from '@portolan/foundation/ids';
import { generalFaults } from '../../api/faults.ts';
import { type Family, operationsIn } from '../family.ts';
import { eventFaults } from './faults.ts';
import * as operations from './operations.ts';
import { endStreams } from './stream.ts';
import { daily, deleteExpired } from './tasks.ts';

export const family: Family = {
  name: 'events',
  operations: operationsIn(operations),
  parameters: {
    eventId: {
      description: 'Id of the event.',
      pattern: ID_PATTERN,
      malformed: () => generalFaults.INVALID_PATH_PARAMETER('eventId'),
    },
  },
  background: [(services) => ({ stop: () => endStreams(services) })],
  tasks: [deleteExpired],
  timetable: [daily],
  faults: [eventFaults],
};
