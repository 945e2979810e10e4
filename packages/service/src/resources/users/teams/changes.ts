import { grantsHeldBy, type Role, rolesAt, setRoles } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import { addCount, countOf, type Tx } from '../../../store/index.ts';
import { userFaults } from '../../accounts/index.ts';
import { membershipFaults, teamFaults } from '../faults.ts';
import { changeInvitation } from '../invitations/changes.ts';
import { changeMember } from '../members/changes.ts';
import { invitationsTo } from '../model/invitations/rows.ts';
import { findMembership, type Membership, requireMembership } from '../model/membership.ts';
import { findPersonId } from '../model/rules.ts';
import { deleteTeam, insertTeam, type TeamRow, updateTeamName } from '../model/teams/rows.ts';
import { checkTeamName, checkTeamRoles, MAX_TEAMS_PER_ORG, requireTeam, teamCount } from './rules.ts';

/** Creates a team. Its first members, given by user name, must belong to the organization. */
export async function addTeam(
  tx: Tx,
  actor: Actor,
  { orgId, name, usernames }: { orgId: string; name: string; usernames: readonly string[] },
): Promise<TeamRow> {
  await checkTeamName(tx, orgId, name);
  if ((await countOf(tx, teamCount, orgId)) >= MAX_TEAMS_PER_ORG) {
    throw teamFaults.MAX_TEAMS_PER_ORG_EXCEEDED(MAX_TEAMS_PER_ORG, orgId);
  }
  const team: TeamRow = { id: tx.id(), orgId, name };
  await insertTeam(tx, team);
  await addCount(tx, teamCount, orgId, 1);
  await recordTeam(tx, 'TEAM_CREATED', team, { actor });
  for (const username of usernames) {
    await joinTeam(tx, actor, team.id, await requireMemberNamed(tx, orgId, username));
  }
  return team;
}

export async function renameTeam(tx: Tx, actor: Actor, team: TeamRow, name: string): Promise<TeamRow> {
  if (name === team.name) return team;
  await checkTeamName(tx, team.orgId, name);
  await updateTeamName(tx, team.id, name);
  await recordTeam(tx, 'TEAM_NAME_CHANGED', team, { actor });
  return { ...team, name };
}

/** Deletes a team with its project roles, and removes it from invitations. */
export async function removeTeam(tx: Tx, actor: Actor, team: TeamRow): Promise<void> {
  const grants = await grantsHeldBy(tx, [team.id]);
  const groupIds = grants.filter(({ scope }) => scope === 'group').map(({ id }) => id);
  for (const groupId of new Set(groupIds)) await removeTeamFromProject(tx, actor, team, groupId);
  for (const invitation of await invitationsTo(tx, team.orgId)) {
    if (!invitation.teamIds.includes(team.id)) continue;
    const teamIds = invitation.teamIds.filter((id) => id !== team.id);
    await changeInvitation(tx, actor, invitation, { ...invitation, teamIds });
  }
  await deleteTeam(tx, team.id);
  await addCount(tx, teamCount, team.orgId, -1);
  await recordTeam(tx, 'TEAM_DELETED', team, { actor });
}

/** Replaces the roles of a team in a project. The roles apply to each member of the team. */
export async function setTeamRoles(
  tx: Tx,
  actor: Actor,
  team: TeamRow,
  at: { readonly groupId: string; readonly roleNames: readonly Role[] },
): Promise<void> {
  const { groupId, roleNames } = at;
  if (roleNames.length === 0) throw membershipFaults.NO_ROLES_IN_ASSIGNMENT();
  const place = { kind: 'group', id: groupId } as const;
  const isNew = (await rolesAt(tx, team.id, place)).length === 0;
  if (isNew) await checkTeamRoles(tx, team.orgId);
  if (!(await setRoles(tx, team.id, place, roleNames))) return;
  const type = isNew ? 'TEAM_ADDED_TO_GROUP' : 'TEAM_ROLES_MODIFIED';
  await recordTeam(tx, type, team, { actor, groupId });
}

export async function removeTeamFromProject(
  tx: Tx,
  actor: Actor,
  team: TeamRow,
  groupId: string,
): Promise<void> {
  await setRoles(tx, team.id, { kind: 'group', id: groupId }, []);
  await recordTeam(tx, 'TEAM_REMOVED_FROM_GROUP', team, { actor, groupId });
}

interface TeamRef {
  readonly orgId: string;
  readonly teamId: string;
}

/** Adds a member of the organization or an invited person to a team. Adding the same person again has no effect. */
export async function addToTeam(
  tx: Tx,
  actor: Actor,
  { orgId, teamId }: TeamRef,
  userId: string,
): Promise<void> {
  await joinTeam(tx, actor, teamId, await requireMembership(tx, orgId, userId));
}

/** Removes a member or an invited person from a team. Throws USER_NOT_FOUND for anyone outside the team. */
export async function removeFromTeam(tx: Tx, actor: Actor, at: TeamRef, userId: string): Promise<void> {
  const team = await requireTeam(tx, at);
  const member = await requireMembership(tx, team.orgId, userId);
  const { teamIds } = member.grants;
  if (!teamIds.includes(team.id)) throw userFaults.USER_NOT_FOUND(userId);
  const left = teamIds.filter((id) => id !== team.id);
  await changeMember(tx, actor, member, { ...member.grants, teamIds: left });
}

async function joinTeam(tx: Tx, actor: Actor, teamId: string, member: Membership): Promise<void> {
  const { teamIds } = member.grants;
  if (teamIds.includes(teamId)) return;
  await changeMember(tx, actor, member, { ...member.grants, teamIds: [...teamIds, teamId] });
}

async function requireMemberNamed(tx: Tx, orgId: string, username: string): Promise<Membership> {
  const id = await findPersonId(tx, username);
  if (id === undefined) throw userFaults.USERNAME_NOT_FOUND(username);
  const member = await findMembership(tx, orgId, id);
  if (!member) throw userFaults.USER_NOT_IN_ORG(id, orgId);
  return member;
}

async function recordTeam(
  tx: Tx,
  type: string,
  { orgId, id }: TeamRow,
  about: { readonly actor: Actor; readonly groupId?: string },
): Promise<void> {
  await recordEvent(tx, { type, orgId, ...about, details: { teamId: id } });
}
