import { contract, type PlannedTag, reference } from './planned.ts';

export const cloudProviderAccess: PlannedTag = {
  tag: 'Cloud Provider Access',
  paths: {
    '/groups/{groupId}/cloudProviderAccess': {
      GET: contract('listCloudProviderAccessRoles'),
      POST: contract('createCloudProviderAccessRole'),
    },
    '/groups/{groupId}/cloudProviderAccess/{cloudProvider}/{roleId}': {
      DELETE: reference('deauthorizeCloudProviderAccessRole'),
    },
    '/groups/{groupId}/cloudProviderAccess/{roleId}': {
      GET: contract('getCloudProviderAccessRole'),
      PATCH: reference('authorizeCloudProviderAccessRole'),
    },
  },
};
