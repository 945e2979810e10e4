import { faults } from '@portolan/foundation/faults';

export const integrationFaults = faults({
  INTEGRATION_ALREADY_CONFIGURED: [409, 'The project already has the integration {0}.'],
  INVALID_INTEGRATION_SETTINGS: [400, 'The integration {0} cannot be removed: it {1}.'],
  WEBHOOK_NOTIFICATIONS_PRESENT: [400, 'The webhook integration is used by alert configurations.'],
});
