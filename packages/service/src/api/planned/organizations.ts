import { contract, plannedTag, reference } from './planned.ts';

export const organizations = plannedTag('Organizations', {
  listOrganizations: contract('GET /orgs'),
  createOrganization: reference('POST /orgs'),
  getOrganization: reference('GET /orgs/{orgId}'),
  updateOrganization: reference('PATCH /orgs/{orgId}'),
  deleteOrganization: reference('DELETE /orgs/{orgId}'),
  listOrganizationProjects: reference('GET /orgs/{orgId}/groups'),
  listOrganizationInvitations: reference('GET /orgs/{orgId}/invites'),
  createOrganizationInvitation: reference('POST /orgs/{orgId}/invites'),
  updateOrganizationInvitation: reference('PATCH /orgs/{orgId}/invites'),
  getOrganizationInvitation: reference('GET /orgs/{orgId}/invites/{invitationId}'),
  updateOrganizationInvitationById: reference('PATCH /orgs/{orgId}/invites/{invitationId}'),
  deleteOrganizationInvitation: reference('DELETE /orgs/{orgId}/invites/{invitationId}'),
  getOrganizationSettings: reference('GET /orgs/{orgId}/settings'),
  updateOrganizationSettings: reference('PATCH /orgs/{orgId}/settings'),
  updateOrganizationRoles: reference('PUT /orgs/{orgId}/users/{userId}/roles'),
});
