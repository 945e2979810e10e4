import { type PlannedTag, reference } from './planned.ts';

export const programmaticApiKeys: PlannedTag = {
  tag: 'Programmatic API Keys',
  paths: {
    '/groups/{groupId}/apiKeys': {
      GET: reference('listProjectApiKeys'),
      POST: reference('createProjectApiKey'),
    },
    '/groups/{groupId}/apiKeys/{apiUserId}': {
      POST: reference('addProjectApiKey'),
      PATCH: reference('updateApiKeyRoles'),
      DELETE: reference('removeProjectApiKey'),
    },
    '/orgs/{orgId}/apiKeys': {
      GET: reference('listApiKeys'),
      POST: reference('createApiKey'),
    },
    '/orgs/{orgId}/apiKeys/{apiUserId}': {
      GET: reference('getApiKey'),
      PATCH: reference('updateApiKey'),
      DELETE: reference('deleteApiKey'),
    },
    '/orgs/{orgId}/apiKeys/{apiUserId}/accessList': {
      GET: reference('listApiKeyAccessListsEntries'),
      POST: reference('createApiKeyAccessList'),
    },
    '/orgs/{orgId}/apiKeys/{apiUserId}/accessList/{ipAddress}': {
      GET: reference('getApiKeyAccessList'),
      DELETE: reference('deleteApiKeyAccessListEntry'),
    },
  },
};
