import { faults } from '@portolan/foundation/faults';

export const maintenanceFaults = faults({
  PLATFORM_MAINTENANCE_ALREADY_SCHEDULED: [
    400,
    'Maintenance is already scheduled; change the window when the maintenance is done.',
  ],
  PLATFORM_MAINTENANCE_NOT_SCHEDULED: [400, 'The project has no scheduled maintenance.'],
  PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED: [400, 'The project has no maintenance window.'],
  PLATFORM_NUM_MAINTENANCE_DEFERRALS_EXCEEDED: [400, 'Maintenance can be deferred at most twice.'],
});
