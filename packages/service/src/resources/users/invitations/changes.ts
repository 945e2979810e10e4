import type { Role } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { isMemberOf, userFaults } from '../../accounts/index.ts';
import { membershipFaults } from '../faults.ts';
import { assignmentsWithout, type MemberGrants, rolesIn, withRolesIn } from '../model/grants.ts';
import {
  deleteExpiredInvitations,
  deleteInvitation,
  findInvitationOf,
  type InvitationRow,
  insertInvitation,
  invitationsTo,
  updateInvitation,
} from '../model/invitations/rows.ts';
import { checkGrants, checkOrganizationUserLimit, findPersonId, type ProjectRef } from '../model/rules.ts';
import { personInvited } from './hooks.ts';
import { invitationNotFound } from './rules.ts';

const DAY_MS = 86_400_000;
const INVITATION_DAYS = 30;

interface NewInvitation {
  readonly orgId: string;
  readonly username: string;
  readonly origin: 'org' | 'group';
  readonly grants: MemberGrants;
}

/**
 * Invites a person to an organization, or to a project in it (see `origin`). Throws USER_ALREADY_EXISTS for a
 * person who is already invited, and for a member if the invitation is to the organization.
 */
export async function invite(tx: Tx, actor: Actor, invited: NewInvitation): Promise<InvitationRow> {
  const { orgId, username, origin, grants } = invited;
  await checkGrants(tx, orgId, grants);
  await deleteExpiredInvitations(tx, orgId);
  const userId = (await findPersonId(tx, username)) ?? tx.id();
  const isMember = await isMemberOf(tx, orgId, userId);
  if ((isMember && origin === 'org') || (await findInvitationOf(tx, orgId, userId))) {
    throw userFaults.USER_ALREADY_EXISTS(username);
  }
  if (!isMember) await checkOrganizationUserLimit(tx, orgId);
  const row: InvitationRow = {
    ...{ id: tx.id(), orgId, userId, username, origin, ...grants },
    inviter: actor.username ?? actor.publicKey ?? '',
    created: tx.now,
    expires: new Date(tx.now.getTime() + INVITATION_DAYS * DAY_MS),
  };
  await insertInvitation(tx, row);
  await tx.publish(personInvited, { invitationId: row.id });
  const details = { targetUsername: username };
  if (!isMember) await recordEvent(tx, { type: 'INVITED_TO_ORG', orgId, actor, details });
  for (const { groupId } of grants.assignments) {
    await recordEvent(tx, { type: 'INVITED_TO_GROUP', orgId, groupId, actor, details });
  }
  return row;
}

/**
 * Invites a person to a project. A person who is not a member of its organization is also invited to the organization.
 */
export async function inviteToProject(
  tx: Tx,
  actor: Actor,
  { orgId, groupId }: ProjectRef,
  { username, roles }: { readonly username: string; readonly roles: readonly Role[] },
): Promise<InvitationRow> {
  const userId = (await findPersonId(tx, username)) ?? tx.id();
  const before = await findInvitationOf(tx, orgId, userId);
  if (!before) {
    const inOrg: readonly Role[] = (await isMemberOf(tx, orgId, userId)) ? [] : ['ORG_MEMBER'];
    const grants = { roles: inOrg, assignments: [{ groupId, roles }], teamIds: [] };
    return invite(tx, actor, { orgId, username, origin: 'group', grants });
  }
  if (before.assignments.some((one) => one.groupId === groupId)) {
    throw userFaults.USER_ALREADY_EXISTS(username);
  }
  return editInvitation(tx, actor, before, withRolesIn(before, groupId, roles));
}

/**
 * Replaces the grants of an invitation, and records an event for each project that is added or removed. An invitation
 * that was created from a project is deleted when its last project is removed. In that case, returns undefined.
 */
export async function changeInvitation(
  tx: Tx,
  actor: Actor,
  invitation: InvitationRow,
  wanted: MemberGrants,
): Promise<InvitationRow | undefined> {
  const { orgId, username } = invitation;
  await checkGrants(tx, orgId, wanted);
  const { roles, assignments, teamIds } = wanted;
  const record = (type: string, groupId: string) =>
    recordEvent(tx, { type, orgId, groupId, actor, details: { targetUsername: username } });
  for (const { groupId } of assignmentsWithout(invitation.assignments, assignments)) {
    await record('GROUP_INVITATION_DELETED', groupId);
  }
  for (const { groupId } of assignmentsWithout(assignments, invitation.assignments)) {
    await record('INVITED_TO_GROUP', groupId);
  }
  if (invitation.origin === 'group' && assignments.length === 0) {
    await deleteInvitation(tx, invitation.id);
    return undefined;
  }
  if (roles.length === 0 && invitation.roles.length > 0) {
    throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  }
  const changed = { ...invitation, roles, assignments, teamIds };
  await updateInvitation(tx, changed);
  return changed;
}

/**
 * Changes an invitation as `changeInvitation` does, but throws RESOURCE_NOT_FOUND if the change deletes the invitation.
 */
export async function editInvitation(
  tx: Tx,
  actor: Actor,
  invitation: InvitationRow,
  wanted: MemberGrants,
): Promise<InvitationRow> {
  const changed = await changeInvitation(tx, actor, invitation, wanted);
  if (!changed) throw invitationNotFound(invitation.id);
  return changed;
}

/** Sends the mail of an invitation again. */
export function resendInvitation(tx: Tx, { id }: InvitationRow): Promise<void> {
  return tx.publish(personInvited, { invitationId: id });
}

/** Deletes an invitation, and records an event. */
export async function withdrawInvitation(tx: Tx, actor: Actor, invitation: InvitationRow): Promise<void> {
  const { id, orgId, username } = invitation;
  await deleteInvitation(tx, id);
  const details = { targetUsername: username };
  await recordEvent(tx, { type: 'ORG_INVITATION_DELETED', orgId, actor, details });
}

/** Removes a project from every invitation of an organization. */
export async function removeProjectFromInvitations(
  tx: Tx,
  actor: Actor,
  { orgId, groupId }: Pick<ProjectRef, 'orgId' | 'groupId'>,
): Promise<void> {
  for (const invitation of await invitationsTo(tx, orgId)) {
    if (rolesIn(invitation, groupId).length === 0) continue;
    await changeInvitation(tx, actor, invitation, withRolesIn(invitation, groupId, []));
  }
}
