import { Turns } from '@portolan/foundation/turns';
import { type Role, setRoles } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { checkOrganizationLimit, type UserRow } from '../../accounts/index.ts';
import { membershipFaults } from '../faults.ts';
import { changeInvitation, inviteToProject, withdrawInvitation } from '../invitations/changes.ts';
import {
  isSameRoles,
  type MemberGrants,
  mergeGrants,
  noGrants,
  rolesIn,
  withRolesIn,
} from '../model/grants.ts';
import { deleteInvitation, findInvitationOf } from '../model/invitations/rows.ts';
import { type Member, type Membership, membershipOfUser, pendingMembership } from '../model/membership.ts';
import {
  checkGrants,
  checkOrganizationUserLimit,
  checkProjectUserLimit,
  findMemberToAdd,
  isLastOwner,
  type ProjectRef,
} from '../model/rules.ts';
import { deleteMember, insertMember } from '../model/teams/rows.ts';

/**
 * Replaces the grants of a member, and records an event for each difference. For an invited person, changes the
 * invitation instead.
 */
export async function changeMember(
  tx: Tx,
  actor: Actor,
  member: Membership,
  wanted: MemberGrants,
): Promise<void> {
  if (member.invitation) {
    await changeInvitation(tx, actor, member.invitation, wanted);
    return;
  }
  await checkGrants(tx, member.orgId, wanted);
  if (wanted.roles.length === 0) throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  await applyGrants(tx, actor, member, wanted);
}

/**
 * Removes a member from an organization with its projects and teams. For an invited person, withdraws the invitation.
 */
export async function removeMember(tx: Tx, actor: Actor, member: Membership): Promise<void> {
  if (member.invitation) return withdrawInvitation(tx, actor, member.invitation);
  if (await isLastOwner(tx, member)) throw membershipFaults.CANNOT_DELETE_LAST_ADMIN();
  await applyGrants(tx, actor, member, noGrants);
  const own = await findInvitationOf(tx, member.orgId, member.userId);
  if (own) await deleteInvitation(tx, own.id);
}

/**
 * Adds grants in an organization to those that a user has. If the user then has no organization role, adds ORG_MEMBER.
 * Deletes the user's invitation to the organization.
 */
export async function joinOrganization(
  tx: Tx,
  actor: Actor,
  at: { readonly orgId: string; readonly user: UserRow },
  added: MemberGrants,
): Promise<void> {
  const { orgId, user } = at;
  const member = await membershipOfUser(tx, orgId, user);
  const held = member.grants;
  const invitation = await findInvitationOf(tx, orgId, user.id);
  if (held.roles.length === 0 && !invitation) await checkOrganizationUserLimit(tx, orgId);
  const lacksRole = added.roles.length + held.roles.length === 0;
  const wanted = mergeGrants(held, lacksRole ? { ...added, roles: ['ORG_MEMBER'] } : added);
  await checkGrants(tx, orgId, wanted);
  await applyGrants(tx, actor, member, wanted);
  if (invitation) await deleteInvitation(tx, invitation.id);
}

/**
 * Adds a person to a project. A member of the organization gets the roles at once; others are invited to the
 * organization and the project.
 */
export async function addToProject(
  tx: Tx,
  actor: Actor,
  project: ProjectRef,
  added: { readonly username: string; readonly roles: readonly Role[] },
): Promise<Member> {
  const member = await findMemberToAdd(tx, project, added.username);
  if (!member) return pendingMembership(await inviteToProject(tx, actor, project, added));
  await changeMember(tx, actor, member, withRolesIn(member.grants, project.groupId, added.roles));
  return member;
}

/** The time that changing the roles in one project takes, in the units of `Turns`: half a millisecond. */
const PROJECT_COST = 100;

async function applyGrants(tx: Tx, actor: Actor, member: Membership, wanted: MemberGrants): Promise<void> {
  await applyOrganizationRoles(tx, actor, member, wanted.roles);
  const groups = [...member.grants.assignments, ...wanted.assignments].map(({ groupId }) => groupId);
  const turns = new Turns();
  for (const groupId of new Set(groups)) {
    await applyProjectRoles(tx, actor, { ...member, groupId }, rolesIn(wanted, groupId));
    await turns.take(PROJECT_COST);
  }
  await applyTeams(tx, actor, member, wanted.teamIds);
}

async function applyOrganizationRoles(
  tx: Tx,
  actor: Actor,
  member: Membership,
  wanted: readonly Role[],
): Promise<void> {
  const { orgId, userId, username, grants } = member;
  const held = grants.roles;
  if (isSameRoles(held, wanted)) return;
  const losesOwner = wanted.length > 0 && held.includes('ORG_OWNER') && !wanted.includes('ORG_OWNER');
  if (losesOwner && (await isLastOwner(tx, member))) throw membershipFaults.CANNOT_DEMOTE_LAST_ORG_OWNER();
  if (held.length === 0) await checkOrganizationLimit(tx, userId);
  await setRoles(tx, userId, { kind: 'org', id: orgId }, wanted);
  const changed = wanted.length === 0 ? 'REMOVED_FROM_ORG' : 'USER_ROLES_CHANGED_AUDIT';
  const type = held.length === 0 ? 'JOINED_ORG' : changed;
  await recordEvent(tx, { type, orgId, actor, details: { targetUsername: username } });
}

async function applyProjectRoles(
  tx: Tx,
  actor: Actor,
  member: Membership & { readonly groupId: string },
  wanted: readonly Role[],
): Promise<void> {
  const { orgId, groupId, userId, username, grants } = member;
  const held = rolesIn(grants, groupId);
  if (isSameRoles(held, wanted)) return;
  if (held.length === 0) await checkProjectUserLimit(tx, groupId);
  await setRoles(tx, userId, { kind: 'group', id: groupId }, wanted);
  const changed = wanted.length === 0 ? 'REMOVED_FROM_GROUP' : 'USER_ROLES_CHANGED_AUDIT';
  const type = held.length === 0 ? 'JOINED_GROUP' : changed;
  await recordEvent(tx, { type, orgId, groupId, actor, details: { targetUsername: username } });
}

async function applyTeams(
  tx: Tx,
  actor: Actor,
  member: Membership,
  wanted: readonly string[],
): Promise<void> {
  const { orgId, userId, username, grants } = member;
  const record = (type: string, teamId: string) =>
    recordEvent(tx, { type, orgId, actor, details: { targetUsername: username, teamId } });
  for (const teamId of grants.teamIds) {
    if (wanted.includes(teamId)) continue;
    await deleteMember(tx, { teamId, userId });
    await record('REMOVED_FROM_TEAM', teamId);
  }
  for (const teamId of wanted) {
    if (grants.teamIds.includes(teamId)) continue;
    await insertMember(tx, { teamId, userId });
    await record('JOINED_TEAM', teamId);
  }
}
