import { grantsHeldBy, grantsOn, type HeldGrant, isRole, type Role } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findUser, requireUser, type UserRow, userFaults, usersAmong } from '../../accounts/index.ts';
import { projectsAmong } from '../../projects/index.ts';
import type { Assignment, MemberGrants } from './grants.ts';
import { findInvitationOf, type InvitationRow, invitationsTo } from './invitations/rows.ts';
import { teamsOf } from './teams/rows.ts';

/** A user who has a role in an organization, or a person with an open invitation to it. */
export interface Member {
  readonly orgId: string;
  readonly userId: string;
  readonly username: string;
  /** The user; absent for an invited person, who has no account yet. */
  readonly user?: UserRow;
  /** The invitation; absent for a user with a role in the organization, even if also invited to a project. */
  readonly invitation?: InvitationRow;
}

export interface Membership extends Member {
  readonly grants: MemberGrants;
}

/** Returns all members of an organization. Users come first, oldest first, and are followed by invited persons. */
export async function membersOfOrganization(tx: ReadTx, orgId: string): Promise<Member[]> {
  const grants = await grantsOn(tx, { kind: 'org', id: orgId });
  const users = await usersAmong(tx, [...new Set(grants.map((grant) => grant.principalId))]);
  const active = new Set(users.map(({ id }) => id));
  const invitations = (await invitationsTo(tx, orgId)).filter(({ userId }) => !active.has(userId));
  return [...users.map((user) => activeMember(orgId, user)), ...invitations.map(pendingMember)];
}

/**
 * Returns a member of an organization. Throws USER_NOT_FOUND, or USER_NOT_IN_ORG for a user who belongs only to other
 * organizations.
 */
export async function requireMembership(tx: ReadTx, orgId: string, userId: string): Promise<Membership> {
  const membership = await findMembership(tx, orgId, userId);
  if (membership) return membership;
  await requireUser(tx, userId);
  throw userFaults.USER_NOT_IN_ORG(userId, orgId);
}

export async function findMembership(
  tx: ReadTx,
  orgId: string,
  userId: string,
): Promise<Membership | undefined> {
  const user = await findUser(tx, userId);
  const active = user && (await membershipOfUser(tx, orgId, user));
  if (active && active.grants.roles.length > 0) return active;
  const invitation = await findInvitationOf(tx, orgId, userId);
  return invitation && pendingMembership(invitation);
}

/** Returns the grants of a user in an organization, which may be empty. */
export async function membershipOfUser(tx: ReadTx, orgId: string, user: UserRow): Promise<Membership> {
  const member = activeMember(orgId, user);
  return { ...member, grants: (await grantsByUser(tx, orgId, [user.id]))(user.id) };
}

/** Returns the members of one organization with their grants. Implied roles are not included. */
export async function membershipsOf(
  tx: ReadTx,
  orgId: string,
  members: readonly Member[],
): Promise<Membership[]> {
  const ids = members.filter(({ user }) => user).map(({ userId }) => userId);
  const grantsOf = await grantsByUser(tx, orgId, ids);
  return members.map((member) => ({ ...member, grants: member.invitation ?? grantsOf(member.userId) }));
}

/** Loads the grants of several users in one organization. */
async function grantsByUser(
  tx: ReadTx,
  orgId: string,
  userIds: readonly string[],
): Promise<(userId: string) => MemberGrants> {
  const held = await grantsHeldBy(tx, userIds);
  const projects = await projectsAmong(
    tx,
    orgId,
    held.filter(({ scope }) => scope === 'group').map(({ id }) => id),
  );
  return grantsByUserIn(orgId, { held, projects, teams: await teamsOf(tx, orgId, userIds) });
}

interface LoadedGrants {
  /** All roles of some users, also in other organizations. */
  readonly held: readonly HeldGrant[];
  /** The projects of the organization among those of the roles. */
  readonly projects: ReadonlySet<string>;
  readonly teams: readonly { readonly userId: string; readonly teamId: string }[];
}

/** Returns the grants of users in an organization. Reads the roles of all users once, because there can be 500,000. */
export function grantsByUserIn(
  orgId: string,
  { held, projects, teams }: LoadedGrants,
): (userId: string) => MemberGrants {
  const heldBy = Map.groupBy(held, ({ principalId }) => principalId);
  const teamsBy = Map.groupBy(teams, ({ userId }) => userId);
  return (userId) => {
    const own = heldBy.get(userId) ?? [];
    const inGroups = own.filter(({ scope, id }) => scope === 'group' && projects.has(id));
    const roles = own.filter(({ scope, id }) => scope === 'org' && id === orgId).map(({ role }) => role);
    return {
      roles: roles.filter(isRole),
      assignments: assignmentsOf(inGroups),
      teamIds: (teamsBy.get(userId) ?? []).map(({ teamId }) => teamId),
    };
  };
}

function assignmentsOf(grants: readonly { readonly id: string; readonly role: string }[]): Assignment[] {
  const roles = new Map<string, Role[]>();
  for (const { id, role } of grants) {
    if (isRole(role)) roles.set(id, [...(roles.get(id) ?? []), role]);
  }
  return [...roles].map(([groupId, held]) => ({ groupId, roles: held }));
}

function activeMember(orgId: string, user: UserRow): Member {
  return { orgId, userId: user.id, username: user.username, user };
}

function pendingMember(invitation: InvitationRow): Member {
  const { orgId, userId, username } = invitation;
  return { orgId, userId, username, invitation };
}

/** Returns the membership of an invited person, with the grants of the invitation. */
export function pendingMembership(invitation: InvitationRow): Membership {
  return { ...pendingMember(invitation), grants: invitation };
}
