import { plannedTag, reference } from './planned.ts';

export const serviceAccounts = plannedTag('Service Accounts', {
  listProjectServiceAccounts: reference('GET /groups/{groupId}/serviceAccounts', '2024-08-05'),
  createProjectServiceAccount: reference('POST /groups/{groupId}/serviceAccounts', '2024-08-05'),
  getProjectServiceAccount: reference('GET /groups/{groupId}/serviceAccounts/{clientId}', '2024-08-05'),
  updateProjectServiceAccount: reference('PATCH /groups/{groupId}/serviceAccounts/{clientId}', '2024-08-05'),
  deleteProjectServiceAccount: reference('DELETE /groups/{groupId}/serviceAccounts/{clientId}', '2024-08-05'),
  listProjectServiceAccountAccessList: reference(
    'GET /groups/{groupId}/serviceAccounts/{clientId}/accessList',
    '2024-08-05',
  ),
  createProjectServiceAccountAccessList: reference(
    'POST /groups/{groupId}/serviceAccounts/{clientId}/accessList',
    '2024-08-05',
  ),
  deleteProjectServiceAccountAccessListEntry: reference(
    'DELETE /groups/{groupId}/serviceAccounts/{clientId}/accessList/{ipAddress}',
    '2024-08-05',
  ),
  createProjectServiceAccountSecret: reference(
    'POST /groups/{groupId}/serviceAccounts/{clientId}/secrets',
    '2024-08-05',
  ),
  deleteProjectServiceAccountSecret: reference(
    'DELETE /groups/{groupId}/serviceAccounts/{clientId}/secrets/{secretId}',
    '2024-08-05',
  ),
  addProjectServiceAccount: reference(
    'POST /groups/{groupId}/serviceAccounts/{clientId}:invite',
    '2024-08-05',
  ),
  listServiceAccounts: reference('GET /orgs/{orgId}/serviceAccounts', '2024-08-05'),
  createServiceAccount: reference('POST /orgs/{orgId}/serviceAccounts', '2024-08-05'),
  getServiceAccount: reference('GET /orgs/{orgId}/serviceAccounts/{clientId}', '2024-08-05'),
  updateServiceAccount: reference('PATCH /orgs/{orgId}/serviceAccounts/{clientId}', '2024-08-05'),
  deleteServiceAccount: reference('DELETE /orgs/{orgId}/serviceAccounts/{clientId}', '2024-08-05'),
  listServiceAccountAccessList: reference(
    'GET /orgs/{orgId}/serviceAccounts/{clientId}/accessList',
    '2024-08-05',
  ),
  createServiceAccountAccessList: reference(
    'POST /orgs/{orgId}/serviceAccounts/{clientId}/accessList',
    '2024-08-05',
  ),
  deleteServiceAccountAccessListEntry: reference(
    'DELETE /orgs/{orgId}/serviceAccounts/{clientId}/accessList/{ipAddress}',
    '2024-08-05',
  ),
  listServiceAccountProjects: reference('GET /orgs/{orgId}/serviceAccounts/{clientId}/groups', '2024-08-05'),
  createServiceAccountSecret: reference(
    'POST /orgs/{orgId}/serviceAccounts/{clientId}/secrets',
    '2024-08-05',
  ),
  deleteServiceAccountSecret: reference(
    'DELETE /orgs/{orgId}/serviceAccounts/{clientId}/secrets/{secretId}',
    '2024-08-05',
  ),
});
