import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { invite } from '../invitations/changes.ts';
import {
  type GrantsRequest,
  type MemberGrants,
  noGrants,
  requestedGrants,
  withoutRole,
  withRole,
} from '../model/grants.ts';
import { membersOfOrganization, requireMembership } from '../model/membership.ts';
import {
  OrganizationMember,
  OrganizationMemberCreate,
  OrganizationMemberUpdate,
  OrgRole,
  OrgRoles,
} from '../schema.ts';
import { changeMember, removeMember } from './changes.ts';
import { filterMembers, memberList, pageOfMembers } from './lists.ts';
import { presentOrganizationMember } from './views.ts';

export const listOrganizationUsers = operation({
  id: 'listOrganizationUsers',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/orgs/{orgId}/users',
  ...memberList,
  summary: 'Lists the members of an organization, and the people who are invited to it.',
  reachedFrom: { organization: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId } = call.params;
      const members = filterMembers(await membersOfOrganization(tx, orgId), call);
      return pageOfMembers(tx, orgId, members, call.page, presentOrganizationMember);
    }),
});

export const createOrganizationUser = operation({
  id: 'createOrganizationUser',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/orgs/{orgId}/users',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Invites a person to an organization.',
  access: 'Organization Owner',
  body: OrganizationMemberCreate,
  reply: OrganizationMember,
  status: 201,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgId } = call.params;
      const { username } = call.body;
      const grants = requestedGrants(noGrants, readRequest(call.body));
      const { userId } = await invite(tx, call.actor, { orgId, username, origin: 'org', grants });
      return presentOrganizationMember(await requireMembership(tx, orgId, userId));
    }),
});

export const getOrganizationUser = operation({
  id: 'getOrganizationUser',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/orgs/{orgId}/users/{userId}',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Returns one member of an organization or one person invited to it.',
  access: 'Organization Member',
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId, userId } = call.params;
      return presentOrganizationMember(await requireMembership(tx, orgId, userId));
    }),
});

export const updateOrganizationUser = operation({
  id: 'updateOrganizationUser',
  tag: 'Db Cloud Users',
  method: 'PATCH',
  path: '/orgs/{orgId}/users/{userId}',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary:
    'Replaces the roles or the teams of a member of an organization. Omitted fields keep their values.',
  access: 'Organization Owner',
  body: OrganizationMemberUpdate,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) => editMember(tx, call, (grants) => requestedGrants(grants, readRequest(call.body)))),
});

export const removeOrganizationUser = operation({
  id: 'removeOrganizationUser',
  tag: 'Db Cloud Users',
  method: 'DELETE',
  path: '/orgs/{orgId}/users/{userId}',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary:
    'Removes a member from an organization and all its projects, or deletes the invitation of an invited person.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId, userId } = call.params;
    await call.write(async (tx) => removeMember(tx, call.actor, await requireMembership(tx, orgId, userId)));
  },
});

const OneRole = Type.Object({ orgRole: OrgRole });

export const addOrganizationRole = operation({
  id: 'addOrganizationRole',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/orgs/{orgId}/users/{userId}:addRole',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Adds one role to a member of an organization.',
  access: 'Organization Owner',
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) =>
      editMember(tx, call, (grants) => ({ ...grants, roles: withRole(grants.roles, call.body.orgRole) })),
    ),
});

export const removeOrganizationRole = operation({
  id: 'removeOrganizationRole',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/orgs/{orgId}/users/{userId}:removeRole',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Removes one role from a member of an organization. A member must keep at least one role.',
  access: 'Organization Owner',
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) =>
      editMember(tx, call, (grants) => ({ ...grants, roles: withoutRole(grants.roles, call.body.orgRole) })),
    ),
});

const RolesOfMember = entity(Type.Object({ orgRoles: OrgRoles, links: Links }), {
  name: 'organizationRoles',
  self: 'getOrganizationUser',
  params: () => ({}),
});

export const updateOrganizationRoles = operation({
  id: 'updateOrganizationRoles',
  tag: 'Organizations',
  method: 'PUT',
  path: '/orgs/{orgId}/users/{userId}/roles',
  summary: 'Replaces the roles of a member of an organization.',
  access: 'Organization Owner',
  body: RolesOfMember,
  reply: RolesOfMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgRoles } = call.body;
      await editMember(tx, call, (grants) => ({ ...grants, roles: orgRoles }));
      return { orgRoles };
    }),
});

interface MemberCall {
  readonly params: { readonly orgId: string; readonly userId: string };
  readonly actor: Actor;
}

/** Changes the grants of the member that a path names. Returns the updated member. */
async function editMember(
  tx: Tx,
  { params, actor }: MemberCall,
  edit: (grants: MemberGrants) => MemberGrants,
) {
  const member = await requireMembership(tx, params.orgId, params.userId);
  await changeMember(tx, actor, member, edit(member.grants));
  return presentOrganizationMember(await requireMembership(tx, params.orgId, params.userId));
}

function readRequest({ roles, teamIds }: Type.Static<typeof OrganizationMemberUpdate>): GrantsRequest {
  const assigned = roles?.groupRoleAssignments;
  return {
    roles: roles?.orgRoles,
    teamIds,
    groupRoleAssignments: assigned?.map(({ groupId, groupRoles }) => ({ groupId, roles: groupRoles })),
  };
}
