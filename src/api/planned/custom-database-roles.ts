import { type PlannedTag, reference } from './planned.ts';

export const customDatabaseRoles: PlannedTag = {
  tag: 'Custom Database Roles',
  paths: {
    '/groups/{groupId}/customDBRoles/roles': {
      GET: reference('listCustomDatabaseRoles'),
      POST: reference('createCustomDatabaseRole'),
    },
    '/groups/{groupId}/customDBRoles/roles/{roleName}': {
      GET: reference('getCustomDatabaseRole'),
      PATCH: reference('updateCustomDatabaseRole'),
      DELETE: reference('deleteCustomDatabaseRole'),
    },
  },
};
