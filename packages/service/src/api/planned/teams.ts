import { plannedTag, reference } from './planned.ts';

export const teams = plannedTag('Teams', {
  listProjectTeams: reference('GET /groups/{groupId}/teams'),
  addAllTeamsToProject: reference('POST /groups/{groupId}/teams'),
  getProjectTeam: reference('GET /groups/{groupId}/teams/{teamId}'),
  updateTeamRoles: reference('PATCH /groups/{groupId}/teams/{teamId}'),
  removeProjectTeam: reference('DELETE /groups/{groupId}/teams/{teamId}'),
  listOrganizationTeams: reference('GET /orgs/{orgId}/teams'),
  createTeam: reference('POST /orgs/{orgId}/teams'),
  getTeamByName: reference('GET /orgs/{orgId}/teams/byName/{teamName}'),
  getTeamById: reference('GET /orgs/{orgId}/teams/{teamId}'),
  renameTeam: reference('PATCH /orgs/{orgId}/teams/{teamId}'),
  deleteTeam: reference('DELETE /orgs/{orgId}/teams/{teamId}'),
  addTeamUser: reference('POST /orgs/{orgId}/teams/{teamId}/users'),
  removeTeamUser: reference('DELETE /orgs/{orgId}/teams/{teamId}/users/{userId}'),
});
