import { contract, plannedTag, reference } from './planned.ts';

export const cloudProviderAccess = plannedTag('Cloud Provider Access', {
  listCloudProviderAccessRoles: contract('GET /groups/{groupId}/cloudProviderAccess'),
  createCloudProviderAccessRole: contract('POST /groups/{groupId}/cloudProviderAccess'),
  deauthorizeCloudProviderAccessRole: reference(
    'DELETE /groups/{groupId}/cloudProviderAccess/{cloudProvider}/{roleId}',
  ),
  getCloudProviderAccessRole: contract('GET /groups/{groupId}/cloudProviderAccess/{roleId}'),
  authorizeCloudProviderAccessRole: reference('PATCH /groups/{groupId}/cloudProviderAccess/{roleId}'),
});
