import { accessFaults, grantsOn, MAX_ROLES } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findUserNamed, requireUser, userFaults, usersAmong } from '../../accounts/index.ts';
import { findProject, projectFaults, projectsAmong } from '../../projects/index.ts';
import { membershipFaults, teamFaults } from '../faults.ts';
import { countRoles, type MemberGrants, rolesIn } from './grants.ts';
import { findInvitedUserId } from './invitations/rows.ts';
import { findMembership, type Membership, membersOfOrganization } from './membership.ts';
import { teamsAmong } from './teams/rows.ts';

/** The limits of the vendor's service. Open invitations count towards the limit of an organization. */
const MAX_USERS_PER_ORG = 500;
const MAX_USERS_PER_GROUP = 500;

/** A project and the organization that owns it. */
export interface ProjectRef {
  readonly orgId: string;
  readonly groupId: string;
  readonly name: string;
}

/** Returns the project with this id. Throws GROUP_NOT_FOUND. */
export async function requireProject(tx: ReadTx, groupId: string): Promise<ProjectRef> {
  const project = await findProject(tx, groupId);
  if (!project) throw projectFaults.GROUP_NOT_FOUND(groupId);
  return { orgId: project.orgId, groupId, name: project.name };
}

/**
 * Throws for a project or team that belongs to another organization, for an assignment without a role, and for too many
 * roles.
 */
export async function checkGrants(tx: ReadTx, orgId: string, grants: MemberGrants): Promise<void> {
  const { assignments, teamIds } = grants;
  if (countRoles(grants) > MAX_ROLES) throw accessFaults.MAX_ROLES_EXCEEDED(MAX_ROLES);
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

/**
 * Throws MAX_USERS_PER_ORG_EXCEEDED if the organization already has the maximum number of users and invited persons.
 */
export async function checkOrganizationUserLimit(tx: ReadTx, orgId: string): Promise<void> {
  const members = await membersOfOrganization(tx, orgId);
  if (members.length >= MAX_USERS_PER_ORG) {
    throw membershipFaults.MAX_USERS_PER_ORG_EXCEEDED(MAX_USERS_PER_ORG, orgId);
  }
}

export async function checkProjectUserLimit(tx: ReadTx, groupId: string): Promise<void> {
  const grants = await grantsOn(tx, { kind: 'group', id: groupId });
  const users = await usersAmong(tx, [...new Set(grants.map(({ principalId }) => principalId))]);
  if (users.length >= MAX_USERS_PER_GROUP) {
    throw membershipFaults.MAX_USERS_PER_GROUP_EXCEEDED(MAX_USERS_PER_GROUP, groupId);
  }
}

/** Whether a user is the only owner. API keys and service accounts with the owner role do not count. */
export async function isLastOwner(tx: ReadTx, { orgId, userId, grants }: Membership): Promise<boolean> {
  if (!grants.roles.includes('ORG_OWNER')) return false;
  const held = await grantsOn(tx, { kind: 'org', id: orgId });
  const owners = held.filter(({ role }) => role === 'ORG_OWNER').map(({ principalId }) => principalId);
  const others = owners.filter((id) => id !== userId);
  return (await usersAmong(tx, others)).length === 0;
}

/**
 * Returns the id of a person: the id of the account or, if there is no account, the id that the first invitation has
 * reserved.
 */
export async function findPersonId(tx: ReadTx, username: string): Promise<string | undefined> {
  return (await findUserNamed(tx, username))?.id ?? (await findInvitedUserId(tx, username));
}

/**
 * Returns the member of the project's organization with this name; undefined if the person must be invited. Throws
 * USER_ALREADY_EXISTS if the member already has roles in the project.
 */
export async function findMemberToAdd(
  tx: ReadTx,
  { orgId, groupId }: ProjectRef,
  username: string,
): Promise<Membership | undefined> {
  const user = await findUserNamed(tx, username);
  const member = user && (await findMembership(tx, orgId, user.id));
  if (!member?.user) return undefined;
  if (rolesIn(member.grants, groupId).length > 0) throw userFaults.USER_ALREADY_EXISTS(username);
  return member;
}

/**
 * Returns a member of a project. Throws USER_NOT_FOUND, or USER_NOT_IN_GROUP for a user who has no role that was
 * granted in the project itself.
 */
export async function requireProjectMember(
  tx: ReadTx,
  { orgId, groupId }: ProjectRef,
  userId: string,
): Promise<Membership> {
  const member = await findMembership(tx, orgId, userId);
  if (!member) await requireUser(tx, userId);
  if (!member || rolesIn(member.grants, groupId).length === 0) {
    throw membershipFaults.USER_NOT_IN_GROUP(userId, groupId);
  }
  return member;
}
