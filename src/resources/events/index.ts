import { generalFaults } from '../../api/faults.ts';
import { ID_PATTERN } from '../../runtime/ids.ts';
import type { Family } from '../family.ts';
import {
  eventFaults,
  getOrganizationEvent,
  getProjectEvent,
  listEventTypes,
  listOrganizationEvents,
  listProjectEvents,
} from './operations.ts';

export const family: Family = {
  name: 'events',
  operations: [
    listProjectEvents,
    getProjectEvent,
    listOrganizationEvents,
    getOrganizationEvent,
    listEventTypes,
  ],
  parameters: {
    eventId: {
      description: 'The event.',
      pattern: ID_PATTERN,
      malformed: () => generalFaults.INVALID_PATH_PARAMETER('eventId'),
    },
  },
  faults: [eventFaults],
};
