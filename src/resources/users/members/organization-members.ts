import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { invite } from '../invitations/invite.ts';
import type { Offer } from '../invitations/rows.ts';
import {
  OrganizationMember,
  OrganizationMemberCreate,
  OrganizationMemberUpdate,
  OrgRole,
  OrgRoles,
  User,
} from '../schema.ts';
import { change, removeMember } from './change.ts';
import { memberFilter, pageOfMembers, wanted } from './lists.ts';
import { memberOf, membersOfOrganization } from './member.ts';
import { formerView, organizationView } from './views.ts';

export const tag = 'Db Cloud Users';
const all = '/orgs/{orgId}/users';
const one = `${all}/{userId}` as const;

/** Versions that show invitations among the members. */
export const memberVersions = { '2025-02-19': 'same', '2025-03-12': 'same' } as const;

export const listOrganizationUsers = operation({
  id: 'listOrganizationUsers',
  summary: 'Lists the members of an organization, and those who are invited to it.',
  tag,
  method: 'GET',
  path: all,
  access: 'Organization Member',
  versions: { '2023-01-01': { reply: User, write: formerView }, ...memberVersions },
  query: Type.Object(memberFilter),
  reply: OrganizationMember,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId } = call.params;
      const members = wanted(await membersOfOrganization(tx, orgId), call);
      return pageOfMembers(tx, orgId, members, call.page, organizationView);
    }),
});

export const createOrganizationUser = operation({
  id: 'createOrganizationUser',
  summary: 'Invites somebody to an organization.',
  tag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  versions: memberVersions,
  body: OrganizationMemberCreate,
  reply: OrganizationMember,
  status: 201,
  handler: (call) =>
    call.write(async (tx) => {
      const { username, roles, teamIds = [] } = call.body;
      const offer = {
        roles: roles.orgRoles,
        assignments: assignmentsOf(roles.groupRoleAssignments ?? []),
        teamIds,
      };
      const { userId } = await invite(tx, call, { orgId: call.params.orgId, username, origin: 'org', offer });
      return organizationView(await memberOf(tx, call.params.orgId, userId));
    }),
});

export const getOrganizationUser = operation({
  id: 'getOrganizationUser',
  summary: 'Answers one member of an organization, or one who is invited to it.',
  tag,
  method: 'GET',
  path: one,
  access: 'Organization Member',
  versions: memberVersions,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => organizationView(await memberOf(tx, call.params.orgId, call.params.userId))),
});

export const updateOrganizationUser = operation({
  id: 'updateOrganizationUser',
  summary: 'Replaces what the body names of the roles and teams of a member.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Organization Owner',
  versions: memberVersions,
  body: OrganizationMemberUpdate,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) =>
      edited(tx, call, (offer) => {
        const { roles, teamIds = offer.teamIds } = call.body;
        const assigned = roles?.groupRoleAssignments;
        return {
          roles: roles?.orgRoles ?? offer.roles,
          assignments: assigned ? assignmentsOf(assigned) : offer.assignments,
          teamIds,
        };
      }),
    ),
});

export const removeOrganizationUser = operation({
  id: 'removeOrganizationUser',
  summary: 'Takes a member out of an organization and all of its projects, or takes an invitation back.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Organization Owner',
  versions: memberVersions,
  status: 204,
  async handler(call) {
    const { orgId, userId } = call.params;
    await call.write(async (tx) => removeMember(tx, call.actor, await memberOf(tx, orgId, userId)));
  },
});

const OneRole = Type.Object({ orgRole: OrgRole });

export const addOrganizationRole = operation({
  id: 'addOrganizationRole',
  summary: 'Gives a member of an organization one role more.',
  tag,
  method: 'POST',
  path: `${one}:addRole`,
  access: 'Organization Owner',
  versions: memberVersions,
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) =>
      edited(tx, call, (offer) => ({ ...offer, roles: withRole(offer.roles, call.body.orgRole) })),
    ),
});

export const removeOrganizationRole = operation({
  id: 'removeOrganizationRole',
  summary: 'Takes one role of several from a member of an organization.',
  tag,
  method: 'POST',
  path: `${one}:removeRole`,
  access: 'Organization Owner',
  versions: memberVersions,
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) =>
      edited(tx, call, (offer) => ({ ...offer, roles: withoutRole(offer.roles, call.body.orgRole) })),
    ),
});

const RolesOfMember = Type.Object({ orgRoles: OrgRoles });

export const updateOrganizationRoles = operation({
  id: 'updateOrganizationRoles',
  summary: 'Replaces the roles of a member of an organization.',
  tag: 'Organizations',
  method: 'PUT',
  path: `${one}/roles`,
  access: 'Organization Owner',
  body: RolesOfMember,
  reply: RolesOfMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgRoles } = call.body;
      await edited(tx, call, (offer) => ({ ...offer, roles: orgRoles }));
      return { orgRoles };
    }),
});

interface MemberCall {
  readonly params: { readonly orgId: string; readonly userId: string };
  readonly actor: Actor;
}

/** Changes a member of the path, and answers it as it is then. */
async function edited(tx: Tx, { params, actor }: MemberCall, edit: (offer: Offer) => Offer) {
  const member = await memberOf(tx, params.orgId, params.userId);
  await change(tx, actor, member, edit(member.offer));
  return organizationView(await memberOf(tx, params.orgId, params.userId));
}

export function withRole(roles: readonly Role[], role: Role): Role[] {
  return roles.includes(role) ? [...roles] : [...roles, role];
}

export function withoutRole(roles: readonly Role[], role: Role): Role[] {
  return roles.filter((held) => held !== role);
}

function assignmentsOf(list: readonly { groupId: string; groupRoles?: Role[] }[]) {
  return list.map(({ groupId, groupRoles = [] }) => ({ groupId, roles: groupRoles }));
}
