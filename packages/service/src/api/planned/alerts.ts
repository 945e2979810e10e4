import { contract, plannedTag } from './planned.ts';

export const alerts = plannedTag('Alerts', {
  listAlertsByAlertConfigurationId: contract('GET /groups/{groupId}/alertConfigs/{alertConfigId}/alerts'),
  listAlerts: contract('GET /groups/{groupId}/alerts'),
  getAlert: contract('GET /groups/{groupId}/alerts/{alertId}'),
  acknowledgeAlert: contract('PATCH /groups/{groupId}/alerts/{alertId}', '2023-01-01', '2024-05-30'),
});
