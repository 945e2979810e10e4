import { grantsHeldBy, grantsOn, isRole, type Role } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { existingUser, findUser, type UserRow, userFaults, usersAmong } from '../../accounts/index.ts';
import { projectsAmong } from '../../projects/index.ts';
import {
  type Assignment,
  findInvitationOf,
  type InvitationRow,
  invitationsTo,
  type Offer,
} from '../invitations/rows.ts';
import { teamsOf } from '../teams/rows.ts';

/** Someone in an organization: a user with a role there, or somebody invited who has not accepted yet. */
export interface Member {
  readonly orgId: string;
  readonly userId: string;
  readonly username: string;
  /** Absent while the invitation is open. */
  readonly user?: UserRow;
  /** Absent once the member is there; a member's own invitation to a project is none of these. */
  readonly invitation?: InvitationRow;
}

/** A member with what it holds. */
export interface Standing extends Member {
  readonly offer: Offer;
}

export const nothing: Offer = { roles: [], assignments: [], teamIds: [] };

/** Every member of an organization: users in the order of their making, then those who are invited. */
export async function membersOfOrganization(tx: ReadTx, orgId: string): Promise<Member[]> {
  const grants = await grantsOn(tx, { kind: 'org', id: orgId });
  const users = await usersAmong(tx, [...new Set(grants.map((grant) => grant.principalId))]);
  const active = new Set(users.map(({ id }) => id));
  const invitations = (await invitationsTo(tx, orgId)).filter(({ userId }) => !active.has(userId));
  return [...users.map((user) => activeMember(orgId, user)), ...invitations.map(pendingMember)];
}

/** The member of an id. Throws USER_NOT_FOUND, or USER_NOT_IN_ORG for a user of other organizations. */
export async function memberOf(tx: ReadTx, orgId: string, userId: string): Promise<Standing> {
  const member = await findMember(tx, orgId, userId);
  if (member) return member;
  await existingUser(tx, userId);
  throw userFaults.USER_NOT_IN_ORG(userId, orgId);
}

export async function findMember(tx: ReadTx, orgId: string, userId: string): Promise<Standing | undefined> {
  const user = await findUser(tx, userId);
  if (user) {
    const [standing] = await standingsOf(tx, orgId, [activeMember(orgId, user)]);
    if (standing && standing.offer.roles.length > 0) return standing;
  }
  const invitation = await findInvitationOf(tx, orgId, userId);
  return invitation && { ...pendingMember(invitation), offer: invitation };
}

/** What some members of one organization hold there; in its own words, nothing that roles bring along. */
export async function standingsOf(
  tx: ReadTx,
  orgId: string,
  members: readonly Member[],
): Promise<Standing[]> {
  const ids = members.filter(({ user }) => user).map(({ userId }) => userId);
  const held = await grantsHeldBy(tx, ids);
  const projects = await projectsAmong(
    tx,
    orgId,
    held.filter(({ scope }) => scope === 'group').map(({ id }) => id),
  );
  const teams = await teamsOf(tx, orgId, ids);
  return members.map((member) => {
    if (member.invitation) return { ...member, offer: member.invitation };
    const own = held.filter(({ principalId }) => principalId === member.userId);
    const inGroups = own.filter(({ scope, id }) => scope === 'group' && projects.has(id));
    const roles = own.filter(({ scope, id }) => scope === 'org' && id === orgId).map(({ role }) => role);
    const teamIds = teams.filter(({ userId }) => userId === member.userId).map(({ teamId }) => teamId);
    return { ...member, offer: { roles: roles.filter(isRole), assignments: byProject(inGroups), teamIds } };
  });
}

function byProject(grants: readonly { readonly id: string; readonly role: string }[]): Assignment[] {
  const roles = new Map<string, Role[]>();
  for (const { id, role } of grants) {
    if (isRole(role)) roles.set(id, [...(roles.get(id) ?? []), role]);
  }
  return [...roles].map(([groupId, held]) => ({ groupId, roles: held }));
}

export function activeMember(orgId: string, user: UserRow): Member {
  return { orgId, userId: user.id, username: user.username, user };
}

export function pendingMember(invitation: InvitationRow): Member {
  const { orgId, userId, username } = invitation;
  return { orgId, userId, username, invitation };
}

/** Roles that an offer holds in one project. */
export function rolesIn({ assignments }: Offer, groupId: string): readonly Role[] {
  return assignments.find((assignment) => assignment.groupId === groupId)?.roles ?? [];
}

/** The offer with other roles in one project; with none, it has nothing to do with the project any more. */
export function withRolesIn(offer: Offer, groupId: string, roles: readonly Role[]): Offer {
  const others = offer.assignments.filter((assignment) => assignment.groupId !== groupId);
  return { ...offer, assignments: roles.length === 0 ? others : [...others, { groupId, roles }] };
}
