import { contract, type PlannedTag } from './planned.ts';

export const alertConfigurations: PlannedTag = {
  tag: 'Alert Configurations',
  paths: {
    '/alertConfigs/matchers/fieldNames': {
      GET: contract('listAlertConfigurationMatchersFieldNames'),
    },
    '/groups/{groupId}/alertConfigs': {
      GET: contract('listAlertConfigurations'),
      POST: contract('createAlertConfiguration'),
    },
    '/groups/{groupId}/alertConfigs/{alertConfigId}': {
      GET: contract('getAlertConfiguration'),
      PUT: contract('updateAlertConfiguration'),
      PATCH: contract('toggleAlertConfiguration'),
      DELETE: contract('deleteAlertConfiguration'),
    },
    '/groups/{groupId}/alerts/{alertId}/alertConfigs': {
      GET: contract('listAlertConfigurationsByAlertId'),
    },
  },
};
