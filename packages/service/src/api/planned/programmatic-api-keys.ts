import { plannedTag, reference } from './planned.ts';

export const programmaticApiKeys = plannedTag('Programmatic API Keys', {
  listProjectApiKeys: reference('GET /groups/{groupId}/apiKeys'),
  createProjectApiKey: reference('POST /groups/{groupId}/apiKeys'),
  addProjectApiKey: reference('POST /groups/{groupId}/apiKeys/{apiUserId}'),
  updateApiKeyRoles: reference('PATCH /groups/{groupId}/apiKeys/{apiUserId}'),
  removeProjectApiKey: reference('DELETE /groups/{groupId}/apiKeys/{apiUserId}'),
  listApiKeys: reference('GET /orgs/{orgId}/apiKeys'),
  createApiKey: reference('POST /orgs/{orgId}/apiKeys'),
  getApiKey: reference('GET /orgs/{orgId}/apiKeys/{apiUserId}'),
  updateApiKey: reference('PATCH /orgs/{orgId}/apiKeys/{apiUserId}'),
  deleteApiKey: reference('DELETE /orgs/{orgId}/apiKeys/{apiUserId}'),
  listApiKeyAccessListsEntries: reference('GET /orgs/{orgId}/apiKeys/{apiUserId}/accessList'),
  createApiKeyAccessList: reference('POST /orgs/{orgId}/apiKeys/{apiUserId}/accessList'),
  getApiKeyAccessList: reference('GET /orgs/{orgId}/apiKeys/{apiUserId}/accessList/{ipAddress}'),
  deleteApiKeyAccessListEntry: reference('DELETE /orgs/{orgId}/apiKeys/{apiUserId}/accessList/{ipAddress}'),
});
