import { plannedTag, reference } from './planned.ts';

export const maintenanceWindows = plannedTag('Maintenance Windows', {
  getMaintenanceWindow: reference('GET /groups/{groupId}/maintenanceWindow'),
  updateMaintenanceWindow: reference('PATCH /groups/{groupId}/maintenanceWindow'),
  resetMaintenanceWindow: reference('DELETE /groups/{groupId}/maintenanceWindow'),
  toggleMaintenanceAutoDefer: reference('POST /groups/{groupId}/maintenanceWindow/autoDefer'),
  deferMaintenanceWindow: reference('POST /groups/{groupId}/maintenanceWindow/defer'),
});
