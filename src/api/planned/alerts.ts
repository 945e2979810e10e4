import { contract, type PlannedTag } from './planned.ts';

export const alerts: PlannedTag = {
  tag: 'Alerts',
  paths: {
    '/groups/{groupId}/alertConfigs/{alertConfigId}/alerts': {
      GET: contract('listAlertsByAlertConfigurationId'),
    },
    '/groups/{groupId}/alerts': {
      GET: contract('listAlerts'),
    },
    '/groups/{groupId}/alerts/{alertId}': {
      GET: contract('getAlert'),
      PATCH: contract('acknowledgeAlert', '2023-01-01', '2024-05-30'),
    },
  },
};
