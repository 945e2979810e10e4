import { grantsOn, type Role, setRoles } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type UserRow, usersAmong } from '../../accounts/index.ts';
import { projectFaults, projectsAmong } from '../../projects/index.ts';
import { membershipFaults, teamFaults } from '../faults.ts';
import {
  deleteInvitation,
  findInvitationOf,
  type InvitationRow,
  type Offer,
  updateInvitation,
} from '../invitations/rows.ts';
import { deleteMember, insertMember, teamsAmong } from '../teams/rows.ts';
import {
  activeMember,
  membersOfOrganization,
  nothing,
  rolesIn,
  type Standing,
  standingsOf,
  withRolesIn,
} from './member.ts';

/** The reference's own; in an organization whoever is invited counts. */
const MAX_USERS_PER_ORG = 500;
const MAX_USERS_PER_GROUP = 500;

/**
 * Gives a member what `wanted` says, takes away what it says no more, and records what happened. For someone invited
 * it is the invitation that changes. Throws what makes the change impossible.
 */
export async function change(tx: Tx, actor: Actor, member: Standing, wanted: Offer): Promise<void> {
  await checkOffer(tx, member.orgId, wanted);
  if (member.invitation) return changeInvitation(tx, actor, member.invitation, wanted);
  if (wanted.roles.length === 0) throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  await settle(tx, actor, member, wanted);
}

/** Takes a member out of an organization, its projects and its teams, or takes the invitation back. */
export async function removeMember(tx: Tx, actor: Actor, member: Standing): Promise<void> {
  const { orgId, invitation, username } = member;
  const details = { targetUsername: username };
  if (invitation) {
    await deleteInvitation(tx, invitation.id);
    await recordEvent(tx, { type: 'ORG_INVITATION_DELETED', orgId, actor, details });
    return;
  }
  if (await isLastOwner(tx, member)) throw membershipFaults.CANNOT_DELETE_LAST_ADMIN();
  await settle(tx, actor, member, nothing);
  const own = await findInvitationOf(tx, orgId, member.userId);
  if (own) await deleteInvitation(tx, own.id);
}

/** Gives a user what an offer holds, besides what the user has there; an invitation to the same is done with. */
export async function join(
  tx: Tx,
  actor: Actor,
  at: { readonly orgId: string; readonly user: UserRow },
  offer: Offer,
): Promise<void> {
  const [member] = await standingsOf(tx, at.orgId, [activeMember(at.orgId, at.user)]);
  if (!member) return;
  const held = member.offer;
  const invitation = await findInvitationOf(tx, at.orgId, at.user.id);
  if (held.roles.length === 0 && !invitation) await checkRoomInOrganization(tx, at.orgId);
  let wanted: Offer = {
    roles: union(held.roles, offer.roles.length + held.roles.length === 0 ? ['ORG_MEMBER'] : offer.roles),
    assignments: held.assignments,
    teamIds: union(held.teamIds, offer.teamIds),
  };
  for (const { groupId, roles } of offer.assignments) {
    wanted = withRolesIn(wanted, groupId, union(rolesIn(held, groupId), roles));
  }
  await checkOffer(tx, at.orgId, wanted);
  await settle(tx, actor, member, wanted);
  if (invitation) await deleteInvitation(tx, invitation.id);
}

function union<T>(left: readonly T[], right: readonly T[]): T[] {
  return [...new Set([...left, ...right])];
}

async function settle(tx: Tx, actor: Actor, member: Standing, wanted: Offer): Promise<void> {
  await settleOrganization(tx, actor, member, wanted.roles);
  const groups = [...member.offer.assignments, ...wanted.assignments].map(({ groupId }) => groupId);
  for (const groupId of new Set(groups)) await settleProject(tx, actor, { ...member, groupId }, wanted);
  await settleTeams(tx, actor, member, wanted.teamIds);
}

async function settleOrganization(
  tx: Tx,
  actor: Actor,
  member: Standing,
  wanted: readonly Role[],
): Promise<void> {
  const { orgId, userId, username, offer } = member;
  if (isSame(offer.roles, wanted)) return;
  const losesOwner = wanted.length > 0 && offer.roles.includes('ORG_OWNER') && !wanted.includes('ORG_OWNER');
  if (losesOwner && (await isLastOwner(tx, member))) throw membershipFaults.CANNOT_DEMOTE_LAST_ORG_OWNER();
  await setRoles(tx, userId, { kind: 'org', id: orgId }, wanted);
  const changed = wanted.length === 0 ? 'REMOVED_FROM_ORG' : 'USER_ROLES_CHANGED_AUDIT';
  const type = offer.roles.length === 0 ? 'JOINED_ORG' : changed;
  await recordEvent(tx, { type, orgId, actor, details: { targetUsername: username } });
}

async function settleProject(
  tx: Tx,
  actor: Actor,
  member: Standing & { readonly groupId: string },
  offer: Offer,
): Promise<void> {
  const { orgId, groupId, userId, username } = member;
  const [held, wanted] = [rolesIn(member.offer, groupId), rolesIn(offer, groupId)];
  if (isSame(held, wanted)) return;
  if (held.length === 0) await checkRoomInProject(tx, groupId);
  await setRoles(tx, userId, { kind: 'group', id: groupId }, wanted);
  const changed = wanted.length === 0 ? 'REMOVED_FROM_GROUP' : 'USER_ROLES_CHANGED_AUDIT';
  const type = held.length === 0 ? 'JOINED_GROUP' : changed;
  await recordEvent(tx, { type, orgId, groupId, actor, details: { targetUsername: username } });
}

async function settleTeams(tx: Tx, actor: Actor, member: Standing, wanted: readonly string[]): Promise<void> {
  const { orgId, userId, username, offer } = member;
  const record = (type: string, teamId: string) =>
    recordEvent(tx, { type, orgId, actor, details: { targetUsername: username, teamId } });
  for (const teamId of offer.teamIds) {
    if (wanted.includes(teamId)) continue;
    await deleteMember(tx, { teamId, userId });
    await record('REMOVED_FROM_TEAM', teamId);
  }
  for (const teamId of wanted) {
    if (offer.teamIds.includes(teamId)) continue;
    await insertMember(tx, { teamId, userId });
    await record('JOINED_TEAM', teamId);
  }
}

async function changeInvitation(
  tx: Tx,
  actor: Actor,
  invitation: InvitationRow,
  { roles, assignments, teamIds }: Offer,
): Promise<void> {
  const { orgId, username } = invitation;
  const record = (type: string, groupId: string) =>
    recordEvent(tx, { type, orgId, groupId, actor, details: { targetUsername: username } });
  for (const { groupId } of lacking(invitation.assignments, assignments)) {
    await record('GROUP_INVITATION_DELETED', groupId);
  }
  for (const { groupId } of lacking(assignments, invitation.assignments)) {
    await record('INVITED_TO_GROUP', groupId);
  }
  if (invitation.origin === 'group' && assignments.length === 0) {
    return deleteInvitation(tx, invitation.id);
  }
  if (roles.length === 0 && invitation.roles.length > 0) {
    throw membershipFaults.CANNOT_REMOVE_ALL_USER_ROLES();
  }
  await updateInvitation(tx, { ...invitation, roles, assignments, teamIds });
}

/** Those of some assignments whose project is in none of the others. */
function lacking(some: Offer['assignments'], others: Offer['assignments']) {
  return some.filter(({ groupId }) => others.every((other) => other.groupId !== groupId));
}

/** Throws for a project or a team that the organization does not have, and for an assignment without a role. */
export async function checkOffer(tx: ReadTx, orgId: string, { assignments, teamIds }: Offer): Promise<void> {
  const projects = await projectsAmong(
    tx,
    orgId,
    assignments.map(({ groupId }) => groupId),
  );
  for (const { groupId, roles } of assignments) {
    if (!projects.has(groupId)) throw projectFaults.GROUP_NOT_FOUND(groupId);
    if (roles.length === 0) throw membershipFaults.NO_ROLES_IN_ASSIGNMENT();
  }
  const teams = new Map((await teamsAmong(tx, teamIds)).map((team) => [team.id, team]));
  for (const teamId of teamIds) {
    const team = teams.get(teamId);
    if (!team) throw teamFaults.TEAM_NOT_FOUND(teamId);
    if (team.orgId !== orgId) throw teamFaults.TEAM_NOT_IN_ORG(teamId, orgId);
  }
}

/** Throws MAX_USERS_PER_ORG_EXCEEDED when nobody may join an organization or be invited to it any more. */
export async function checkRoomInOrganization(tx: ReadTx, orgId: string): Promise<void> {
  const members = await membersOfOrganization(tx, orgId);
  if (members.length >= MAX_USERS_PER_ORG) {
    throw membershipFaults.MAX_USERS_PER_ORG_EXCEEDED(MAX_USERS_PER_ORG, orgId);
  }
}

async function checkRoomInProject(tx: ReadTx, groupId: string): Promise<void> {
  const grants = await grantsOn(tx, { kind: 'group', id: groupId });
  const users = await usersAmong(tx, [...new Set(grants.map(({ principalId }) => principalId))]);
  if (users.length >= MAX_USERS_PER_GROUP) {
    throw membershipFaults.MAX_USERS_PER_GROUP_EXCEEDED(MAX_USERS_PER_GROUP, groupId);
  }
}

/** Keys and accounts that own the organization do not count: it is people who answer for it. */
async function isLastOwner(tx: ReadTx, { orgId, userId, offer }: Standing): Promise<boolean> {
  if (!offer.roles.includes('ORG_OWNER')) return false;
  const grants = await grantsOn(tx, { kind: 'org', id: orgId });
  const owners = grants.filter(({ role }) => role === 'ORG_OWNER').map(({ principalId }) => principalId);
  const others = owners.filter((id) => id !== userId);
  return (await usersAmong(tx, others)).length === 0;
}

function isSame(left: readonly Role[], right: readonly Role[]): boolean {
  return left.length === right.length && left.every((role) => right.includes(role));
}
