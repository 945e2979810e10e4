import { faults } from '@portolan/foundation/faults';

export const eventFaults = faults({
  EVENT_NOT_FOUND: [404, 'No event with id {0} exists in project {1}.'],
  ORG_EVENT_NOT_FOUND: [404, 'No event with id {0} exists in organization {1}.'],
});
