import Type from 'typebox';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { existingUser, findUserNamed, userFaults } from '../../accounts/index.ts';
import { findProject, projectFaults } from '../../projects/index.ts';
import { operation } from '../../services.ts';
import { membershipFaults } from '../faults.ts';
import { inviteToProject } from '../invitations/invite.ts';
import {
  GroupRole,
  GroupRoles,
  OrganizationMember,
  ProjectMember,
  ProjectMemberCreate,
  User,
} from '../schema.ts';
import { change } from './change.ts';
import { memberFilter, membersOfProject, pageOfMembers, wanted } from './lists.ts';
import { findMember, rolesIn, type Standing, withRolesIn } from './member.ts';
import { memberVersions, tag, withoutRole, withRole } from './organization-members.ts';
import { formerView, organizationView, projectView } from './views.ts';

const all = '/groups/{groupId}/users';
const one = `${all}/{userId}` as const;

export const listProjectUsers = operation({
  id: 'listProjectUsers',
  summary: 'Lists the members of a project, and those who are invited to it.',
  tag,
  method: 'GET',
  path: all,
  access: 'Project Read Only',
  versions: {
    '2023-01-01': { reply: User, write: ({ everywhere }) => formerView(everywhere) },
    ...memberVersions,
  },
  query: Type.Object({
    ...memberFilter,
    flattenTeams: Type.Optional(Type.Boolean({ default: false, description: 'Also members by a team.' })),
    includeOrgUsers: Type.Optional(
      Type.Boolean({ default: false, description: 'Also those whose role covers the whole organization.' }),
    ),
  }),
  reply: ProjectMember,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const project = await existingProject(tx, call.params.groupId);
      const { members, rolesOf } = await membersOfProject(tx, project, call.query);
      return pageOfMembers(tx, project.orgId, wanted(members, call), call.page, (standing) =>
        projectView(standing, rolesOf.get(standing.userId) ?? []),
      );
    }),
});

export const addProjectUser = operation({
  id: 'addProjectUser',
  summary: 'Adds a member of the organization to a project, or invites somebody to both.',
  tag,
  method: 'POST',
  path: all,
  access: 'Project Owner',
  versions: memberVersions,
  body: ProjectMemberCreate,
  reply: ProjectMember,
  status: 201,
  handler: (call) =>
    call.write(async (tx) => {
      const { username, roles } = call.body;
      const project = await existingProject(tx, call.params.groupId);
      const { orgId, groupId } = project;
      const member = await memberToAdd(tx, project, username);
      if (!member) {
        const { userId } = await inviteToProject(tx, call, { ...project, username, roles });
        return projectView(await memberOfProject(tx, { orgId, groupId, userId }), roles);
      }
      await change(tx, call.actor, member, withRolesIn(member.offer, groupId, roles));
      return projectView(await memberOfProject(tx, { orgId, groupId, userId: member.userId }), roles);
    }),
});

export const getProjectUser = operation({
  id: 'getProjectUser',
  summary: 'Answers one member of a project, or one who is invited to it.',
  tag,
  method: 'GET',
  path: one,
  access: 'Project Read Only',
  versions: memberVersions,
  reply: ProjectMember,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, userId } = call.params;
      const { orgId } = await existingProject(tx, groupId);
      const member = await memberOfProject(tx, { orgId, groupId, userId });
      return projectView(member, rolesIn(member.offer, groupId));
    }),
});

export const removeProjectUser = operation({
  id: 'removeProjectUser',
  summary: 'Takes a member out of a project, or the project out of an invitation.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Project Owner',
  versions: { '2023-01-01': 'same', ...memberVersions },
  status: 204,
  async handler(call) {
    const { groupId, userId } = call.params;
    await call.write(async (tx) => {
      const { orgId } = await existingProject(tx, groupId);
      const member = await memberOfProject(tx, { orgId, groupId, userId });
      await change(tx, call.actor, member, withRolesIn(member.offer, groupId, []));
    });
  },
});

const OneRole = Type.Object({ groupRole: GroupRole });

export const addProjectRole = operation({
  id: 'addProjectRole',
  summary: 'Gives a member of the organization one role more in a project.',
  tag,
  method: 'POST',
  path: `${one}:addRole`,
  access: 'Project Owner',
  versions: memberVersions,
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) => call.write((tx) => edited(tx, call, (roles) => withRole(roles, call.body.groupRole))),
});

export const removeProjectRole = operation({
  id: 'removeProjectRole',
  summary: 'Takes one role of several from a member of a project.',
  tag,
  method: 'POST',
  path: `${one}:removeRole`,
  access: 'Project Owner',
  versions: memberVersions,
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) => call.write((tx) => edited(tx, call, (roles) => withoutRole(roles, call.body.groupRole))),
});

const RolesOfMember = Type.Object({ groupRoles: GroupRoles });

export const updateProjectRoles = operation({
  id: 'updateProjectRoles',
  summary: 'Replaces the roles of a member of a project.',
  tag: 'Projects',
  method: 'PUT',
  path: `${one}/roles`,
  access: 'Project Owner',
  body: RolesOfMember,
  reply: RolesOfMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupRoles } = call.body;
      await edited(tx, call, () => groupRoles);
      return { groupRoles };
    }),
});

interface MemberCall {
  readonly params: { readonly groupId: string; readonly userId: string };
  readonly actor: Actor;
}

type Roles = Parameters<typeof withRolesIn>[2];

async function edited(tx: Tx, { params, actor }: MemberCall, edit: (roles: Roles) => Roles) {
  const { groupId, userId } = params;
  const { orgId } = await existingProject(tx, groupId);
  const member = await memberOfProject(tx, { orgId, groupId, userId });
  const roles = edit(rolesIn(member.offer, groupId));
  if (roles.length === 0) throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  await change(tx, actor, member, withRolesIn(member.offer, groupId, roles));
  return organizationView(await memberOfProject(tx, { orgId, groupId, userId }));
}

/**
 * The member of a project's organization who has this name; undefined for somebody who is to be invited. Throws
 * USER_ALREADY_EXISTS for one who has roles in the project.
 */
export async function memberToAdd(
  tx: ReadTx,
  { orgId, groupId }: { readonly orgId: string; readonly groupId: string },
  username: string,
): Promise<Standing | undefined> {
  const user = await findUserNamed(tx, username);
  const member = user && (await findMember(tx, orgId, user.id));
  if (!member?.user) return undefined;
  if (rolesIn(member.offer, groupId).length > 0) throw userFaults.USER_ALREADY_EXISTS(username);
  return member;
}

/** Throws USER_NOT_FOUND, or USER_NOT_IN_GROUP for somebody without a role of the project's own. */
async function memberOfProject(
  tx: ReadTx,
  { orgId, groupId, userId }: { orgId: string; groupId: string; userId: string },
): Promise<Standing> {
  const member = await findMember(tx, orgId, userId);
  if (!member) await existingUser(tx, userId);
  if (!member || rolesIn(member.offer, groupId).length === 0) {
    throw membershipFaults.USER_NOT_IN_GROUP(userId, groupId);
  }
  return member;
}

export async function existingProject(tx: ReadTx, groupId: string) {
  const project = await findProject(tx, groupId);
  if (!project) throw projectFaults.GROUP_NOT_FOUND(groupId);
  return { orgId: project.orgId, groupId, name: project.name };
}
