import { type PlannedTag, reference } from './planned.ts';

export const maintenanceWindows: PlannedTag = {
  tag: 'Maintenance Windows',
  paths: {
    '/groups/{groupId}/maintenanceWindow': {
      GET: reference('getMaintenanceWindow'),
      PATCH: reference('updateMaintenanceWindow'),
      DELETE: reference('resetMaintenanceWindow'),
    },
    '/groups/{groupId}/maintenanceWindow/autoDefer': {
      POST: reference('toggleMaintenanceAutoDefer'),
    },
    '/groups/{groupId}/maintenanceWindow/defer': {
      POST: reference('deferMaintenanceWindow'),
    },
  },
};
