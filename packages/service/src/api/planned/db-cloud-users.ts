import { plannedTag, reference } from './planned.ts';

export const dbCloudUsers = plannedTag('Db Cloud Users', {
  listProjectUsers: reference('GET /groups/{groupId}/users', '2023-01-01', '2025-02-19'),
  addProjectUser: reference('POST /groups/{groupId}/users', '2025-02-19'),
  getProjectUser: reference('GET /groups/{groupId}/users/{userId}', '2025-02-19'),
  removeProjectUser: reference('DELETE /groups/{groupId}/users/{userId}', '2023-01-01', '2025-02-19'),
  addProjectRole: reference('POST /groups/{groupId}/users/{userId}:addRole', '2025-02-19'),
  removeProjectRole: reference('POST /groups/{groupId}/users/{userId}:removeRole', '2025-02-19'),
  listTeamUsers: reference('GET /orgs/{orgId}/teams/{teamId}/users', '2023-01-01', '2025-02-19'),
  addUserToTeam: reference('POST /orgs/{orgId}/teams/{teamId}:addUser', '2025-02-19'),
  removeUserFromTeam: reference('POST /orgs/{orgId}/teams/{teamId}:removeUser', '2025-02-19'),
  listOrganizationUsers: reference('GET /orgs/{orgId}/users', '2023-01-01', '2025-02-19'),
  createOrganizationUser: reference('POST /orgs/{orgId}/users', '2025-02-19'),
  getOrganizationUser: reference('GET /orgs/{orgId}/users/{userId}', '2025-02-19'),
  updateOrganizationUser: reference('PATCH /orgs/{orgId}/users/{userId}', '2025-02-19'),
  removeOrganizationUser: reference('DELETE /orgs/{orgId}/users/{userId}', '2025-02-19'),
  addOrganizationRole: reference('POST /orgs/{orgId}/users/{userId}:addRole', '2025-02-19'),
  removeOrganizationRole: reference('POST /orgs/{orgId}/users/{userId}:removeRole', '2025-02-19'),
  createUser: reference('POST /users'),
  getUserByUsername: reference('GET /users/byName/{userName}'),
  getUser: reference('GET /users/{userId}'),
});
