import { faults } from '@portolan/foundation/faults';

export const alertFaults = faults({
  ALERT_NOT_FOUND: [404, 'No alert with the id {0} exists in project {1}.'],
  INVALID_ALERT_ID: [404, 'The alert id {0} is not 24 hexadecimal characters.'],
  INVALID_ALERT_STATUS: [400, '{0} is not an alert status.'],
});
