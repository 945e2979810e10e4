import { batchesInTurns } from '@portolan/foundation/in-batches';
import { fetchPage, type PageRange, type ReadTx, type Tx } from '../../../../store/index.ts';

interface Tables {
  team: { id: string; org_id: string; name: string };
  team_member: { team_id: string; user_id: string };
}

export interface TeamRow {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
}

export interface TeamMember {
  readonly teamId: string;
  readonly userId: string;
}

const readTeamRow = ({ id, org_id, name }: Tables['team']): TeamRow => ({ id, orgId: org_id, name });

export async function insertTeam(tx: Tx, { id, orgId, name }: TeamRow): Promise<void> {
  await tx.from<Tables>().insertInto('team').values({ id, name, org_id: orgId }).execute();
}

export async function updateTeamName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.from<Tables>().updateTable('team').set({ name }).where('id', '=', id).execute();
}

/** Deletes a team and its memberships. The caller must delete its grants. */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('team').where('id', '=', id).execute();
}

export async function findTeam(tx: ReadTx, id: string): Promise<TeamRow | undefined> {
  const row = await teams(tx).where('id', '=', id).executeTakeFirst();
  return row && readTeamRow(row);
}

export async function findTeamNamed(tx: ReadTx, orgId: string, name: string): Promise<TeamRow | undefined> {
  const row = await teams(tx).where('org_id', '=', orgId).where('name', '=', name).executeTakeFirst();
  return row && readTeamRow(row);
}

/** Returns the teams with these ids, oldest first. */
export async function teamsAmong(tx: ReadTx, ids: readonly string[]): Promise<TeamRow[]> {
  if (ids.length === 0) return [];
  return (await teams(tx).where('id', 'in', ids).orderBy('id').execute()).map(readTeamRow);
}

/** Returns the ids of all teams of an organization. */
export async function teamIdsIn(tx: ReadTx, orgId: string): Promise<string[]> {
  return (await teams(tx).where('org_id', '=', orgId).execute()).map(({ id }) => id);
}

export async function pageOfTeams(tx: ReadTx, orgId: string, page: PageRange) {
  const { rows, next } = await fetchPage(teams(tx).where('org_id', '=', orgId), 'id', page);
  return { rows: rows.map(readTeamRow), next };
}

export async function insertMember(tx: Tx, { teamId, userId }: TeamMember): Promise<void> {
  const insert = tx.from<Tables>().insertInto('team_member').values({ team_id: teamId, user_id: userId });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function deleteMember(tx: Tx, { teamId, userId }: TeamMember): Promise<void> {
  const members = tx.from<Tables>().deleteFrom('team_member').where('team_id', '=', teamId);
  await members.where('user_id', '=', userId).execute();
}

/** Number of teams, or of users, per query. A team can have 500 members, and a user can be in 250 teams. */
const AT_ONCE = 8;

/** Returns the memberships of the given teams. */
export async function membersOf(tx: ReadTx, teamIds: readonly string[]): Promise<TeamMember[]> {
  const found: TeamMember[][] = [];
  for await (const some of batchesInTurns(teamIds, AT_ONCE))
    found.push(await members(tx).where('team_id', 'in', some).execute());
  return found.flat();
}

/** Returns the memberships of the given users in teams of an organization. */
export async function teamsOf(tx: ReadTx, orgId: string, userIds: readonly string[]): Promise<TeamMember[]> {
  const inOrg = members(tx).innerJoin('team', 'team.id', 'team_member.team_id').where('org_id', '=', orgId);
  const found: TeamMember[][] = [];
  for await (const some of batchesInTurns(userIds, AT_ONCE))
    found.push(await inOrg.where('user_id', 'in', some).execute());
  return found.flat();
}

/** Returns the ids of the teams of a user, in all organizations. */
export async function teamIdsOf(tx: ReadTx, userId: string): Promise<string[]> {
  return (await members(tx).where('user_id', '=', userId).execute()).map(({ teamId }) => teamId);
}

function teams(tx: ReadTx) {
  return tx.from<Tables>().selectFrom('team').selectAll('team');
}

function members(tx: ReadTx) {
  return tx
    .from<Tables>()
    .selectFrom('team_member')
    .select(['team_member.team_id as teamId', 'team_member.user_id as userId'])
    .orderBy('team_member.team_id')
    .orderBy('team_member.user_id');
}
