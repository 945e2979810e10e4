import { plannedTag, reference } from './planned.ts';

export const projectIpAccessList = plannedTag('Project IP Access List', {
  listProjectIpAccessLists: reference('GET /groups/{groupId}/accessList'),
  createProjectIpAccessList: reference('POST /groups/{groupId}/accessList'),
  getProjectIpList: reference('GET /groups/{groupId}/accessList/{entryValue}'),
  deleteProjectIpAccessList: reference('DELETE /groups/{groupId}/accessList/{entryValue}'),
  getProjectIpAccessListStatus: reference('GET /groups/{groupId}/accessList/{entryValue}/status'),
});
