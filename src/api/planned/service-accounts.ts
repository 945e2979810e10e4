import { type PlannedTag, reference } from './planned.ts';

export const serviceAccounts: PlannedTag = {
  tag: 'Service Accounts',
  paths: {
    '/groups/{groupId}/serviceAccounts': {
      GET: reference('listProjectServiceAccounts', '2024-08-05'),
      POST: reference('createProjectServiceAccount', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}': {
      GET: reference('getProjectServiceAccount', '2024-08-05'),
      PATCH: reference('updateProjectServiceAccount', '2024-08-05'),
      DELETE: reference('deleteProjectServiceAccount', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}/accessList': {
      GET: reference('listProjectServiceAccountAccessList', '2024-08-05'),
      POST: reference('createProjectServiceAccountAccessList', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}/accessList/{ipAddress}': {
      DELETE: reference('deleteProjectServiceAccountAccessListEntry', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}/secrets': {
      POST: reference('createProjectServiceAccountSecret', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}/secrets/{secretId}': {
      DELETE: reference('deleteProjectServiceAccountSecret', '2024-08-05'),
    },
    '/groups/{groupId}/serviceAccounts/{clientId}:invite': {
      POST: reference('addProjectServiceAccount', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts': {
      GET: reference('listServiceAccounts', '2024-08-05'),
      POST: reference('createServiceAccount', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}': {
      GET: reference('getServiceAccount', '2024-08-05'),
      PATCH: reference('updateServiceAccount', '2024-08-05'),
      DELETE: reference('deleteServiceAccount', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}/accessList': {
      GET: reference('listServiceAccountAccessList', '2024-08-05'),
      POST: reference('createServiceAccountAccessList', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}/accessList/{ipAddress}': {
      DELETE: reference('deleteServiceAccountAccessListEntry', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}/groups': {
      GET: reference('listServiceAccountProjects', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}/secrets': {
      POST: reference('createServiceAccountSecret', '2024-08-05'),
    },
    '/orgs/{orgId}/serviceAccounts/{clientId}/secrets/{secretId}': {
      DELETE: reference('deleteServiceAccountSecret', '2024-08-05'),
    },
  },
};
