import { type PlannedTag, reference } from './planned.ts';

export const projectIpAccessList: PlannedTag = {
  tag: 'Project IP Access List',
  paths: {
    '/groups/{groupId}/accessList': {
      GET: reference('listProjectIpAccessLists'),
      POST: reference('createProjectIpAccessList'),
    },
    '/groups/{groupId}/accessList/{entryValue}': {
      GET: reference('getProjectIpList'),
      DELETE: reference('deleteProjectIpAccessList'),
    },
    '/groups/{groupId}/accessList/{entryValue}/status': {
      GET: reference('getProjectIpAccessListStatus'),
    },
  },
};
