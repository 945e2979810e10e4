import Type from 'typebox';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { operation } from '../../services.ts';
import { change, removeMember } from '../members/change.ts';
import { nothing, pendingMember } from '../members/member.ts';
import { invite } from './invite.ts';
import { findInvitation, type InvitationRow } from './rows.ts';
import {
  existingInvitation,
  invitationOf,
  invitationsWithin,
  noInvitation,
  type OfferedChange,
  offerAfter,
  toOrganization,
} from './rules.ts';
import {
  invitationFilter,
  OrganizationInvitation,
  OrganizationInvitationCreate,
  OrganizationInvitationUpdate,
  OrganizationInvitationUpdateByName,
} from './schema.ts';

const tag = 'Organizations';
const all = '/orgs/{orgId}/invites';
const one = `${all}/{invitationId}` as const;

export const listOrganizationInvitations = operation({
  id: 'listOrganizationInvitations',
  summary: 'Lists the open invitations to an organization.',
  tag,
  method: 'GET',
  path: all,
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
      return Promise.all(rows.map((row) => organizationInvitation(tx, row)));
    }),
});

export const createOrganizationInvitation = operation({
  id: 'createOrganizationInvitation',
  summary: 'Invites somebody to an organization.',
  tag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  body: OrganizationInvitationCreate,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { username } = call.body;
      const offer = offerAfter(nothing, call.body);
      const { orgId } = call.params;
      return organizationInvitation(tx, await invite(tx, call, { orgId, username, origin: 'org', offer }));
    }),
});

export const updateOrganizationInvitation = operation({
  id: 'updateOrganizationInvitation',
  summary: 'Changes the open invitation of a user name.',
  tag,
  method: 'PATCH',
  path: all,
  access: 'Organization Owner',
  body: OrganizationInvitationUpdateByName,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await invitationOf(tx, call.params.orgId, toOrganization, call.body.username);
      return changed(tx, call.actor, row, call.body);
    }),
});

export const getOrganizationInvitation = operation({
  id: 'getOrganizationInvitation',
  summary: 'Answers one open invitation.',
  tag,
  method: 'GET',
  path: one,
  access: 'Organization Member',
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.read(async (tx) =>
      organizationInvitation(tx, await existingInvitation(tx, call.params, toOrganization)),
    ),
});

export const updateOrganizationInvitationById = operation({
  id: 'updateOrganizationInvitationById',
  summary: 'Changes one open invitation.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Organization Owner',
  body: OrganizationInvitationUpdate,
  reply: OrganizationInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await existingInvitation(tx, call.params, toOrganization);
      return changed(tx, call.actor, row, call.body);
    }),
});

export const deleteOrganizationInvitation = operation({
  id: 'deleteOrganizationInvitation',
  summary: 'Takes an invitation back.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const row = await existingInvitation(tx, call.params, toOrganization);
      await removeMember(tx, call.actor, { ...pendingMember(row), offer: row });
    });
  },
});

async function changed(tx: Tx, actor: Actor, row: InvitationRow, body: OfferedChange) {
  await change(tx, actor, { ...pendingMember(row), offer: row }, offerAfter(row, body));
  const after = await findInvitation(tx, row.id);
  if (!after) throw noInvitation(row.id);
  return organizationInvitation(tx, after);
}

export async function organizationInvitation(tx: ReadTx, row: InvitationRow) {
  const { orgId, assignments, teamIds, roles } = row;
  return {
    ...invitationFields(row),
    groupRoleAssignments: assignments.flatMap(({ groupId, roles: inGroup }) =>
      inGroup.map((groupRole) => ({ groupId, groupRole })),
    ),
    orgId,
    orgName: (await findOrganization(tx, orgId))?.name ?? '',
    roles: [...roles],
    teamIds: [...teamIds],
  };
}

/** What both kinds of invitations show. */
export function invitationFields({ id, username, inviter, created, expires }: InvitationRow) {
  return { id, username, inviterUsername: inviter, createdAt: created, expiresAt: expires };
}
