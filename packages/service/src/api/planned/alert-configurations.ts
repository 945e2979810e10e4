import { contract, plannedTag } from './planned.ts';

export const alertConfigurations = plannedTag('Alert Configurations', {
  listAlertConfigurationMatchersFieldNames: contract('GET /alertConfigs/matchers/fieldNames'),
  listAlertConfigurations: contract('GET /groups/{groupId}/alertConfigs'),
  createAlertConfiguration: contract('POST /groups/{groupId}/alertConfigs'),
  getAlertConfiguration: contract('GET /groups/{groupId}/alertConfigs/{alertConfigId}'),
  updateAlertConfiguration: contract('PUT /groups/{groupId}/alertConfigs/{alertConfigId}'),
  toggleAlertConfiguration: contract('PATCH /groups/{groupId}/alertConfigs/{alertConfigId}'),
  deleteAlertConfiguration: contract('DELETE /groups/{groupId}/alertConfigs/{alertConfigId}'),
  listAlertConfigurationsByAlertId: contract('GET /groups/{groupId}/alerts/{alertId}/alertConfigs'),
});
