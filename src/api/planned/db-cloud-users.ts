import { type PlannedTag, reference } from './planned.ts';

export const dbCloudUsers: PlannedTag = {
  tag: 'Db Cloud Users',
  paths: {
    '/groups/{groupId}/users': {
      GET: reference('listProjectUsers', '2023-01-01', '2025-02-19'),
      POST: reference('addProjectUser', '2025-02-19'),
    },
    '/groups/{groupId}/users/{userId}': {
      GET: reference('getProjectUser', '2025-02-19'),
      DELETE: reference('removeProjectUser', '2023-01-01', '2025-02-19'),
    },
    '/groups/{groupId}/users/{userId}:addRole': {
      POST: reference('addProjectRole', '2025-02-19'),
    },
    '/groups/{groupId}/users/{userId}:removeRole': {
      POST: reference('removeProjectRole', '2025-02-19'),
    },
    '/orgs/{orgId}/teams/{teamId}/users': {
      GET: reference('listTeamUsers', '2023-01-01', '2025-02-19'),
    },
    '/orgs/{orgId}/teams/{teamId}:addUser': {
      POST: reference('addUserToTeam', '2025-02-19'),
    },
    '/orgs/{orgId}/teams/{teamId}:removeUser': {
      POST: reference('removeUserFromTeam', '2025-02-19'),
    },
    '/orgs/{orgId}/users': {
      GET: reference('listOrganizationUsers', '2023-01-01', '2025-02-19'),
      POST: reference('createOrganizationUser', '2025-02-19'),
    },
    '/orgs/{orgId}/users/{userId}': {
      GET: reference('getOrganizationUser', '2025-02-19'),
      PATCH: reference('updateOrganizationUser', '2025-02-19'),
      DELETE: reference('removeOrganizationUser', '2025-02-19'),
    },
    '/orgs/{orgId}/users/{userId}:addRole': {
      POST: reference('addOrganizationRole', '2025-02-19'),
    },
    '/orgs/{orgId}/users/{userId}:removeRole': {
      POST: reference('removeOrganizationRole', '2025-02-19'),
    },
    '/users': {
      POST: reference('createUser'),
    },
    '/users/byName/{userName}': {
      GET: reference('getUserByUsername'),
    },
    '/users/{userId}': {
      GET: reference('getUser'),
    },
  },
};
