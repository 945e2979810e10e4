import Type from 'typebox';
import { operation } from '../../services.ts';
import { noGrants, requestedGrants } from '../model/grants.ts';
import { editInvitation, invite, withdrawInvitation } from './changes.ts';
import { invitationsWithin, requireInvitation, requireInvitationNamed, toOrganization } from './rules.ts';
import {
  invitationFilter,
  OrganizationInvitation,
  OrganizationInvitationCreate,
  OrganizationInvitationUpdate,
  OrganizationInvitationUpdateByName,
} from './schema.ts';
import { presentOrganizationInvitation } from './views.ts';

export const listOrganizationInvitations = operation({
  id: 'listOrganizationInvitations',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs/{orgId}/invites',
  summary: 'Lists the open invitations to an organization.',
  access: 'Organization Member',
  query: Type.Object(invitationFilter),
  reply: OrganizationInvitation,
  list: 'array',
  status: 200,
  reachedFrom: { organization: 'invites' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId } = call.params;
      const rows = await invitationsWithin(tx, orgId, toOrganization, call.query.username);
      return Promise.all(rows.map((row) => presentOrganizationInvitation(tx, row)));
    }),
});

export const createOrganizationInvitation = operation({
  id: 'createOrganizationInvitation',
  tag: 'Organizations',
  method: 'POST',
  path: '/orgs/{orgId}/invites',
  summary: 'Invites a person to an organization.',
  access: 'Organization Owner',
  body: OrganizationInvitationCreate,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { username } = call.body;
      const { orgId } = call.params;
      const grants = requestedGrants(noGrants, call.body);
      const row = await invite(tx, call.actor, { orgId, username, origin: 'org', grants });
      return presentOrganizationInvitation(tx, row);
    }),
});

export const updateOrganizationInvitation = operation({
  id: 'updateOrganizationInvitation',
  tag: 'Organizations',
  method: 'PATCH',
  path: '/orgs/{orgId}/invites',
  summary: 'Updates an open invitation. The user name in the body selects the invitation.',
  access: 'Organization Owner',
  body: OrganizationInvitationUpdateByName,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await requireInvitationNamed(tx, call.params.orgId, toOrganization, call.body.username);
      const changed = await editInvitation(tx, call.actor, row, requestedGrants(row, call.body));
      return presentOrganizationInvitation(tx, changed);
    }),
});

export const getOrganizationInvitation = operation({
  id: 'getOrganizationInvitation',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs/{orgId}/invites/{invitationId}',
  summary: 'Returns one open invitation.',
  access: 'Organization Member',
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.read(async (tx) =>
      presentOrganizationInvitation(tx, await requireInvitation(tx, call.params, toOrganization)),
    ),
});

export const updateOrganizationInvitationById = operation({
  id: 'updateOrganizationInvitationById',
  tag: 'Organizations',
  method: 'PATCH',
  path: '/orgs/{orgId}/invites/{invitationId}',
  summary: 'Updates one open invitation.',
  access: 'Organization Owner',
  body: OrganizationInvitationUpdate,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await requireInvitation(tx, call.params, toOrganization);
      const changed = await editInvitation(tx, call.actor, row, requestedGrants(row, call.body));
      return presentOrganizationInvitation(tx, changed);
    }),
});

export const deleteOrganizationInvitation = operation({
  id: 'deleteOrganizationInvitation',
  tag: 'Organizations',
  method: 'DELETE',
  path: '/orgs/{orgId}/invites/{invitationId}',
  summary: 'Deletes an invitation.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const row = await requireInvitation(tx, call.params, toOrganization);
      await withdrawInvitation(tx, call.actor, row);
    });
  },
});
