import { type PlannedTag, reference } from './planned.ts';

export const teams: PlannedTag = {
  tag: 'Teams',
  paths: {
    '/groups/{groupId}/teams': {
      GET: reference('listProjectTeams'),
      POST: reference('addAllTeamsToProject'),
    },
    '/groups/{groupId}/teams/{teamId}': {
      GET: reference('getProjectTeam'),
      PATCH: reference('updateTeamRoles'),
      DELETE: reference('removeProjectTeam'),
    },
    '/orgs/{orgId}/teams': {
      GET: reference('listOrganizationTeams'),
      POST: reference('createTeam'),
    },
    '/orgs/{orgId}/teams/byName/{teamName}': {
      GET: reference('getTeamByName'),
    },
    '/orgs/{orgId}/teams/{teamId}': {
      GET: reference('getTeamById'),
      PATCH: reference('renameTeam'),
      DELETE: reference('deleteTeam'),
    },
    '/orgs/{orgId}/teams/{teamId}/users': {
      POST: reference('addTeamUser'),
    },
    '/orgs/{orgId}/teams/{teamId}/users/{userId}': {
      DELETE: reference('removeTeamUser'),
    },
  },
};
