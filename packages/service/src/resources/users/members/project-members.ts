import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';
import { NO_DOCUMENT } from '../../../api/operation.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { membershipFaults } from '../faults.ts';
import { OrganizationInvitation, ProjectInvitationCreate } from '../invitations/schema.ts';
import { presentOrganizationInvitation } from '../invitations/views.ts';
import { rolesIn, withoutRole, withRole, withRolesIn } from '../model/grants.ts';
import { requireProject, requireProjectMember } from '../model/rules.ts';
import {
  GroupRole,
  GroupRoles,
  OrganizationMember,
  ProjectMember,
  ProjectMemberCreate,
  User,
} from '../schema.ts';
import { addToProject, changeMember } from './changes.ts';
import { filterMembers, memberFilter, membersOfProject, pageOfMembers } from './lists.ts';
import { presentLegacyMember, presentOrganizationMember, presentProjectMember } from './views.ts';

export const listProjectUsers = operation({
  id: 'listProjectUsers',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/groups/{groupId}/users',
  summary: 'Lists the members of a project, and the people who are invited to it.',
  access: 'Project Read Only',
  versions: {
    '2023-01-01': { reply: User, write: ({ everywhere }) => presentLegacyMember(everywhere) },
    '2025-02-19': 'same',
    '2025-03-12': 'same',
  },
  query: Type.Object({
    ...memberFilter,
    flattenTeams: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to include users who are members only through a team.',
      }),
    ),
    includeOrgUsers: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to include users whose organization role gives access to all projects of the organization.',
      }),
    ),
  }),
  reply: ProjectMember,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const { members, rolesOf } = await membersOfProject(tx, project, call.query);
      return pageOfMembers(tx, project.orgId, filterMembers(members, call), call.page, (member) =>
        presentProjectMember(member, rolesOf.get(member.userId) ?? []),
      );
    }),
});

export const addProjectUser = operation({
  id: 'addProjectUser',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/groups/{groupId}/users',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary:
    'Adds a member of the organization to a project. A person who is not a member is invited to the organization and to the project.',
  access: 'Project Owner',
  body: ProjectMemberCreate,
  reply: ProjectMember,
  status: 201,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const { userId } = await addToProject(tx, call.actor, project, call.body);
      return presentProjectMember(await requireProjectMember(tx, project, userId), call.body.roles);
    }),
});

export const addUserToProject = operation({
  id: 'addUserToProject',
  tag: 'Projects',
  method: 'POST',
  path: '/groups/{groupId}/access',
  versions: { '2023-02-01': 'same', '2025-03-12': 'same' },
  summary:
    'Adds a member of the organization to a project. A person who is not a member is invited to the organization and to the project.',
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: OrganizationInvitation,
  mayBeEmpty: true,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const { invitation } = await addToProject(tx, call.actor, project, call.body);
      return invitation ? presentOrganizationInvitation(tx, invitation) : NO_DOCUMENT;
    }),
});

export const getProjectUser = operation({
  id: 'getProjectUser',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/groups/{groupId}/users/{userId}',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Returns one member of a project or one person invited to it.',
  access: 'Project Read Only',
  reply: ProjectMember,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, userId } = call.params;
      const member = await requireProjectMember(tx, await requireProject(tx, groupId), userId);
      return presentProjectMember(member, rolesIn(member.grants, groupId));
    }),
});

export const removeProjectUser = operation({
  id: 'removeProjectUser',
  tag: 'Db Cloud Users',
  method: 'DELETE',
  path: '/groups/{groupId}/users/{userId}',
  versions: { '2023-01-01': 'same', '2025-02-19': 'same', '2025-03-12': 'same' },
  summary:
    'Removes a member from a project, or removes the project from the invitation of an invited person.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const { groupId, userId } = call.params;
    await call.write(async (tx) => {
      const member = await requireProjectMember(tx, await requireProject(tx, groupId), userId);
      await changeMember(tx, call.actor, member, withRolesIn(member.grants, groupId, []));
    });
  },
});

const OneRole = Type.Object({ groupRole: GroupRole });

export const addProjectRole = operation({
  id: 'addProjectRole',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/groups/{groupId}/users/{userId}:addRole',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Adds one project role to a member of the organization.',
  access: 'Project Owner',
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) => call.write((tx) => editRoles(tx, call, (roles) => withRole(roles, call.body.groupRole))),
});

export const removeProjectRole = operation({
  id: 'removeProjectRole',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/groups/{groupId}/users/{userId}:removeRole',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Removes one role from a member of a project. A member must keep at least one role.',
  access: 'Project Owner',
  body: OneRole,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write((tx) => editRoles(tx, call, (roles) => withoutRole(roles, call.body.groupRole))),
});

const RolesOfMember = entity(Type.Object({ groupRoles: GroupRoles, links: Links }), {
  name: 'projectRoles',
  self: 'getProjectUser',
  params: () => ({}),
});

export const updateProjectRoles = operation({
  id: 'updateProjectRoles',
  tag: 'Projects',
  method: 'PUT',
  path: '/groups/{groupId}/users/{userId}/roles',
  summary: 'Replaces the roles of a member of a project.',
  access: 'Project Owner',
  body: RolesOfMember,
  reply: RolesOfMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupRoles } = call.body;
      await editRoles(tx, call, () => groupRoles);
      return { groupRoles };
    }),
});

interface MemberCall {
  readonly params: { readonly groupId: string; readonly userId: string };
  readonly actor: Actor;
}

/** Changes the project roles of the member that a path names. Returns the updated member. */
async function editRoles(
  tx: Tx,
  { params, actor }: MemberCall,
  edit: (roles: readonly Role[]) => readonly Role[],
) {
  const { groupId, userId } = params;
  const project = await requireProject(tx, groupId);
  const member = await requireProjectMember(tx, project, userId);
  const roles = edit(rolesIn(member.grants, groupId));
  if (roles.length === 0) throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  await changeMember(tx, actor, member, withRolesIn(member.grants, groupId, roles));
  const changed = await requireProjectMember(tx, project, userId);
  return { ...presentOrganizationMember(changed), inProject: presentProjectMember(changed, roles) };
}
