import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import { NO_DOCUMENT } from '../../../api/operation.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { change } from '../members/change.ts';
import { pendingMember, rolesIn, withRolesIn } from '../members/member.ts';
import { existingProject, memberToAdd } from '../members/project-members.ts';
import { inviteToProject } from './invite.ts';
import { invitationFields, organizationInvitation } from './organization-invitations.ts';
import { findInvitation, type InvitationRow } from './rows.ts';
import { existingInvitation, invitationOf, invitationsWithin, noInvitation, toProject } from './rules.ts';
import {
  invitationFilter,
  OrganizationInvitation,
  ProjectInvitation,
  ProjectInvitationCreate,
  ProjectInvitationUpdate,
} from './schema.ts';

const tag = 'Projects';
const all = '/groups/{groupId}/invites';
const one = `${all}/{invitationId}` as const;

export const listProjectInvitations = operation({
  id: 'listProjectInvitations',
  summary: 'Lists the open invitations to a project.',
  tag,
  method: 'GET',
  path: all,
  access: 'Project Read Only',
  query: Type.Object(invitationFilter),
  reply: ProjectInvitation,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'invites' },
  handler: (call) =>
    call.read(async (tx) => {
      const project = await existingProject(tx, call.params.groupId);
      const reach = toProject(project.groupId);
      const rows = await invitationsWithin(tx, project.orgId, reach, call.query.username);
      return rows.map((row) => projectInvitation(project, row));
    }),
});

export const createProjectInvitation = operation({
  id: 'createProjectInvitation',
  summary: 'Invites somebody to a project, and to its organization where the person is no member.',
  tag,
  method: 'POST',
  path: all,
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await existingProject(tx, call.params.groupId);
      await memberToAdd(tx, project, call.body.username);
      return projectInvitation(project, await inviteToProject(tx, call, { ...project, ...call.body }));
    }),
});

export const addUserToProject = operation({
  id: 'addUserToProject',
  summary: 'Adds a member of the organization to a project, or invites somebody to both.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/access',
  access: 'Project Owner',
  versions: { '2023-02-01': 'same', '2025-03-12': 'same' },
  body: ProjectInvitationCreate,
  reply: OrganizationInvitation,
  mayBeEmpty: true,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { username, roles } = call.body;
      const project = await existingProject(tx, call.params.groupId);
      const member = await memberToAdd(tx, project, username);
      if (!member) {
        return organizationInvitation(tx, await inviteToProject(tx, call, { ...project, ...call.body }));
      }
      await change(tx, call.actor, member, withRolesIn(member.offer, project.groupId, roles));
      return NO_DOCUMENT;
    }),
});

export const updateProjectInvitation = operation({
  id: 'updateProjectInvitation',
  summary: 'Replaces the roles in the open invitation of a user name.',
  tag,
  method: 'PATCH',
  path: all,
  access: 'Project Owner',
  body: ProjectInvitationCreate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const project = await existingProject(tx, call.params.groupId);
      const reach = toProject(project.groupId);
      const row = await invitationOf(tx, project.orgId, reach, call.body.username);
      return changed(tx, call.actor, { project, row }, call.body.roles);
    }),
});

export const getProjectInvitation = operation({
  id: 'getProjectInvitation',
  summary: 'Answers one open invitation.',
  tag,
  method: 'GET',
  path: one,
  access: 'Project Read Only',
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { project, row } = await existing(tx, call.params);
      return projectInvitation(project, row);
    }),
});

export const updateProjectInvitationById = operation({
  id: 'updateProjectInvitationById',
  summary: 'Replaces the roles in one open invitation.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Project Owner',
  body: ProjectInvitationUpdate,
  reply: ProjectInvitation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => changed(tx, call.actor, await existing(tx, call.params), call.body.roles)),
});

export const deleteProjectInvitation = operation({
  id: 'deleteProjectInvitation',
  summary: 'Takes the project out of an invitation, which is gone with it when it was made for the project.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { project, row } = await existing(tx, call.params);
      const without = withRolesIn(row, project.groupId, []);
      await change(tx, call.actor, { ...pendingMember(row), offer: row }, without);
    });
  },
});

type Project = Awaited<ReturnType<typeof existingProject>>;

interface Found {
  readonly project: Project;
  readonly row: InvitationRow;
}

async function existing(
  tx: Parameters<typeof existingProject>[0],
  { groupId, invitationId }: { readonly groupId: string; readonly invitationId: string },
): Promise<Found> {
  const project = await existingProject(tx, groupId);
  const at = { orgId: project.orgId, invitationId };
  return { project, row: await existingInvitation(tx, at, toProject(groupId)) };
}

async function changed(tx: Tx, actor: Actor, { project, row }: Found, roles: readonly Role[]) {
  const member = { ...pendingMember(row), offer: row };
  await change(tx, actor, member, withRolesIn(row, project.groupId, roles));
  const after = await findInvitation(tx, row.id);
  if (!after) throw noInvitation(row.id);
  return projectInvitation(project, after);
}

function projectInvitation({ groupId, name }: Project, row: InvitationRow) {
  return { ...invitationFields(row), groupId, groupName: name, roles: [...rolesIn(row, groupId)] };
}
