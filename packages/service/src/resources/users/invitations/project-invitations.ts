import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { withRolesIn } from '../model/grants.ts';
import type { InvitationRow } from '../model/invitations/rows.ts';
import { findMemberToAdd, type ProjectRef, requireProject } from '../model/rules.ts';
import { changeInvitation, editInvitation, inviteToProject } from './changes.ts';
import { invitationsWithin, requireInvitation, requireInvitationNamed, toProject } from './rules.ts';
import {
  invitationFilter,
  ProjectInvitation,
  ProjectInvitationCreate,
  ProjectInvitationUpdate,
} from './schema.ts';
import { presentProjectInvitation } from './views.ts';

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
      const scope = toProject(project.groupId);
      const rows = await invitationsWithin(tx, project.orgId, scope, call.query.username);
      return rows.map((row) => presentProjectInvitation(project, row));
    }),
});

export const createProjectInvitation = operation({
  id: 'createProjectInvitation',
  tag: 'Projects',
  method: 'POST',
  path: '/groups/{groupId}/invites',
  summary: 'Invites a person to a project, and also to its organization if the person is not a member of it.',
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

export const updateProjectInvitation = operation({
  id: 'updateProjectInvitation',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}/invites',
  summary: 'Replaces the roles in an open invitation. The user name in the body selects the invitation.',
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await requireProject(tx, call.params.groupId);
      const scope = toProject(project.groupId);
      const row = await requireInvitationNamed(tx, project.orgId, scope, call.body.username);
      return replaceRoles(tx, call.actor, { project, row }, call.body.roles);
    }),
});

export const getProjectInvitation = operation({
  id: 'getProjectInvitation',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/invites/{invitationId}',
  summary: 'Returns one open invitation.',
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
  summary: 'Removes a project from an invitation. If the invitation is only for this project, it is deleted.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { project, row } = await requireProjectInvitation(tx, call.params);
      await changeInvitation(tx, call.actor, row, withRolesIn(row, project.groupId, []));
    });
  },
});

/** Returns the open invitation that a path names, and its project. */
async function requireProjectInvitation(
  tx: ReadTx,
  { groupId, invitationId }: { readonly groupId: string; readonly invitationId: string },
): Promise<{ project: ProjectRef; row: InvitationRow }> {
  const project = await requireProject(tx, groupId);
  const row = await requireInvitation(tx, { orgId: project.orgId, invitationId }, toProject(groupId));
  return { project, row };
}

/** Replaces the roles of an invitation in a project. Returns the invitation as the project sees it. */
async function replaceRoles(
  tx: Tx,
  actor: Actor,
  { project, row }: { readonly project: ProjectRef; readonly row: InvitationRow },
  roles: readonly Role[],
) {
  const wanted = withRolesIn(row, project.groupId, roles);
  return presentProjectInvitation(project, await editInvitation(tx, actor, row, wanted));
}
