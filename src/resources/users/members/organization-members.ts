import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { invite } from '../invitations/changes.ts';
import {
  OrganizationMember,
  OrganizationMemberCreate,
  OrganizationMemberUpdate,
  OrgRole,
  OrgRoles,
} from '../schema.ts';
import { changeMember, removeMember } from './changes.ts';
import { type MemberGrants, withoutRole, withRole } from './grants.ts';
import { filterMembers, memberList, pageOfMembers } from './lists.ts';
import { membersOfOrganization, requireMembership } from './membership.ts';
import { memberVersions, memberTag as tag } from './versions.ts';
import { presentOrganizationMember } from './views.ts';

const all = '/orgs/{orgId}/users';
const one = `${all}/{userId}` as const;

export const listOrganizationUsers = operation({
  ...memberList,
  id: 'listOrganizationUsers',
  summary: 'Lists the members of an organization, and those who are invited to it.',
  path: all,
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
      const { orgId } = call.params;
      const { username, roles, teamIds = [] } = call.body;
      const grants = {
        roles: roles.orgRoles,
        assignments: readAssignments(roles.groupRoleAssignments ?? []),
        teamIds,
      };
      const { userId } = await invite(tx, call.actor, { orgId, username, origin: 'org', grants });
      return presentOrganizationMember(await requireMembership(tx, orgId, userId));
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
    call.read(async (tx) => {
      const { orgId, userId } = call.params;
      return presentOrganizationMember(await requireMembership(tx, orgId, userId));
    }),
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
      editMember(tx, call, (grants) => {
        const { roles, teamIds = grants.teamIds } = call.body;
        const assigned = roles?.groupRoleAssignments;
        return {
          roles: roles?.orgRoles ?? grants.roles,
          assignments: assigned ? readAssignments(assigned) : grants.assignments,
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
    await call.write(async (tx) => removeMember(tx, call.actor, await requireMembership(tx, orgId, userId)));
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
      editMember(tx, call, (grants) => ({ ...grants, roles: withRole(grants.roles, call.body.orgRole) })),
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
      editMember(tx, call, (grants) => ({ ...grants, roles: withoutRole(grants.roles, call.body.orgRole) })),
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
      await editMember(tx, call, (grants) => ({ ...grants, roles: orgRoles }));
      return { orgRoles };
    }),
});

interface MemberCall {
  readonly params: { readonly orgId: string; readonly userId: string };
  readonly actor: Actor;
}

/** Changes the grants of the member of a path, and answers the member as it is then. */
async function editMember(
  tx: Tx,
  { params, actor }: MemberCall,
  edit: (grants: MemberGrants) => MemberGrants,
) {
  const member = await requireMembership(tx, params.orgId, params.userId);
  await changeMember(tx, actor, member, edit(member.grants));
  return presentOrganizationMember(await requireMembership(tx, params.orgId, params.userId));
}

function readAssignments(list: readonly { groupId: string; groupRoles?: Role[] }[]) {
  return list.map(({ groupId, groupRoles = [] }) => ({ groupId, roles: groupRoles }));
}
