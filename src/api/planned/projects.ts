import { contract, type PlannedTag, reference } from './planned.ts';

export const projects: PlannedTag = {
  tag: 'Projects',
  paths: {
    '/groups': {
      GET: contract('listProjects'),
      POST: reference('createProject'),
    },
    '/groups/byName/{groupName}': {
      GET: reference('getProjectByName'),
    },
    '/groups/{groupId}': {
      GET: reference('getProject'),
      PATCH: reference('updateProject'),
      DELETE: reference('deleteProject'),
    },
    '/groups/{groupId}/access': {
      POST: reference('addUserToProject', '2023-02-01'),
    },
    '/groups/{groupId}/dbVersions': {
      GET: reference('getProjectLtsVersions'),
    },
    '/groups/{groupId}/invites': {
      GET: reference('listProjectInvitations'),
      POST: reference('createProjectInvitation'),
      PATCH: reference('updateProjectInvitation'),
    },
    '/groups/{groupId}/invites/{invitationId}': {
      GET: reference('getProjectInvitation'),
      PATCH: reference('updateProjectInvitationById'),
      DELETE: reference('deleteProjectInvitation'),
    },
    '/groups/{groupId}/ipAddresses': {
      GET: reference('returnAllIpAddresses'),
    },
    '/groups/{groupId}/limits': {
      GET: reference('listProjectLimits'),
    },
    '/groups/{groupId}/limits/{limitName}': {
      GET: reference('getProjectLimit'),
      PATCH: reference('setProjectLimit'),
      DELETE: reference('deleteProjectLimit'),
    },
    '/groups/{groupId}/settings': {
      GET: reference('getProjectSettings'),
      PATCH: reference('updateProjectSettings'),
    },
    '/groups/{groupId}/users/{userId}/roles': {
      PUT: reference('updateProjectRoles'),
    },
    '/groups/{groupId}:migrate': {
      POST: reference('migrateProjectToAnotherOrg', '2024-05-30'),
    },
  },
};
