import { contract, type PlannedTag, reference } from './planned.ts';

export const organizations: PlannedTag = {
  tag: 'Organizations',
  paths: {
    '/orgs': {
      GET: contract('listOrganizations'),
      POST: reference('createOrganization'),
    },
    '/orgs/{orgId}': {
      GET: reference('getOrganization'),
      PATCH: reference('updateOrganization'),
      DELETE: reference('deleteOrganization'),
    },
    '/orgs/{orgId}/groups': {
      GET: reference('listOrganizationProjects'),
    },
    '/orgs/{orgId}/invites': {
      GET: reference('listOrganizationInvitations'),
      POST: reference('createOrganizationInvitation'),
      PATCH: reference('updateOrganizationInvitation'),
    },
    '/orgs/{orgId}/invites/{invitationId}': {
      GET: reference('getOrganizationInvitation'),
      PATCH: reference('updateOrganizationInvitationById'),
      DELETE: reference('deleteOrganizationInvitation'),
    },
    '/orgs/{orgId}/settings': {
      GET: reference('getOrganizationSettings'),
      PATCH: reference('updateOrganizationSettings'),
    },
    '/orgs/{orgId}/users/{userId}/roles': {
      PUT: reference('updateOrganizationRoles'),
    },
  },
};
