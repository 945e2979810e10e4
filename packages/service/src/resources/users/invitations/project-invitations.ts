import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import { NO_DOCUMENT } from '../../../api/operation.ts';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { addToProject } from '../members/changes.ts';
import { withRolesIn } from '../members/grants.ts';
import { findMemberToAdd, type ProjectPlace, requireProject } from '../members/rules.ts';
import { changeInvitation, editInvitation, inviteToProject } from './changes.ts';
import type { InvitationRow } from './rows.ts';
import { invitationsWithin, requireInvitation, requireInvitationNamed, toProject } from './rules.ts';
import {
  invitationFilter,
  OrganizationInvitation,
  ProjectInvitation,
  ProjectInvitationCreate,
  ProjectInvitationUpdate,
} from './schema.ts';
import { presentOrganizationInvitation, presentProjectInvitation } from './views.ts';

export const listProjectInvitations = operation({
  id: 'listProjectInvitations',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/invites',
  summary: 'Lists the open invitations to a project.',
  access: 'Project Read Only',
  query: Type.Object(invitationFilter),
  reply: ProjectInvitation,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'invites' },
  handler: (call) =>
    call.read(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const reach = toProject(project.groupId);
      const rows = await invitationsWithin(tx, project.orgId, reach, call.query.username);
      return rows.map((row) => presentProjectInvitation(project, row));
    }),
});

export const createProjectInvitation = operation({
  id: 'createProjectInvitation',
  tag: 'Projects',
  method: 'POST',
  path: '/groups/{groupId}/invites',
  summary: 'Invites somebody to a project, and to its organization where the person is no member.',
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      await findMemberToAdd(tx, project, call.body.username);
      const row = await inviteToProject(tx, call.actor, project, call.body);
      return presentProjectInvitation(project, row);
    }),
});

export const addUserToProject = operation({
  id: 'addUserToProject',
  tag: 'Projects',
  method: 'POST',
  path: '/groups/{groupId}/access',
  versions: { '2023-02-01': 'same', '2025-03-12': 'same' },
  summary: 'Adds a member of the organization to a project, or invites somebody to both.',
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

export const updateProjectInvitation = operation({
  id: 'updateProjectInvitation',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}/invites',
  summary: 'Replaces the roles in the open invitation of a user name.',
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const reach = toProject(project.groupId);
      const row = await requireInvitationNamed(tx, project.orgId, reach, call.body.username);
      return replaceRoles(tx, call.actor, { project, row }, call.body.roles);
    }),
});

export const getProjectInvitation = operation({
  id: 'getProjectInvitation',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/invites/{invitationId}',
  summary: 'Answers one open invitation.',
  access: 'Project Read Only',
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { project, row } = await requireProjectInvitation(tx, call.params);
      return presentProjectInvitation(project, row);
    }),
});

export const updateProjectInvitationById = operation({
  id: 'updateProjectInvitationById',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}/invites/{invitationId}',
  summary: 'Replaces the roles in one open invitation.',
  access: 'Project Owner',
  body: ProjectInvitationUpdate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) =>
      replaceRoles(tx, call.actor, await requireProjectInvitation(tx, call.params), call.body.roles),
    ),
});

export const deleteProjectInvitation = operation({
  id: 'deleteProjectInvitation',
  tag: 'Projects',
  method: 'DELETE',
  path: '/groups/{groupId}/invites/{invitationId}',
  summary: 'Takes the project out of an invitation, which is gone with it when it was made for the project.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { project, row } = await requireProjectInvitation(tx, call.params);
      await changeInvitation(tx, call.actor, row, withRolesIn(row, project.groupId, []));
    });
  },
});

/** The open invitation of a path, with its project. */
async function requireProjectInvitation(
  tx: ReadTx,
  { groupId, invitationId }: { readonly groupId: string; readonly invitationId: string },
): Promise<{ project: ProjectPlace; row: InvitationRow }> {
  const project = await requireProject(tx, groupId);
  const row = await requireInvitation(tx, { orgId: project.orgId, invitationId }, toProject(groupId));
  return { project, row };
}

/** Gives an invitation other roles in a project, and answers it as the project knows it. */
async function replaceRoles(
  tx: Tx,
  actor: Actor,
  { project, row }: { readonly project: ProjectPlace; readonly row: InvitationRow },
  roles: readonly Role[],
) {
  const wanted = withRolesIn(row, project.groupId, roles);
  return presentProjectInvitation(project, await editInvitation(tx, actor, row, wanted));
}
