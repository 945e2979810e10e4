import { faults } from '@portolan/foundation/faults';

export const eventFaults = faults({
  EVENT_NOT_FOUND: [404, 'The project {1} has no event with the id {0}.'],
  ORG_EVENT_NOT_FOUND: [404, 'The organization {1} has no event with the id {0}.'],
});
