import { grantsHeldBy, setRoles } from '../../../access/index.ts';
import { assertUnchanged } from '../../../api/read-only.ts';
import type { Actor } from '../../../events/index.ts';
import { addCount, countOf, type ReadTx, type Tx } from '../../../store/index.ts';
import { findUserNamed, userFaults } from '../../accounts/index.ts';
import { operation } from '../../services.ts';
import { teamFaults } from '../faults.ts';
import { reservedUserId } from '../invitations/rows.ts';
import { change } from '../members/change.ts';
import { findMember, membersOfOrganization } from '../members/member.ts';
import {
  deleteTeam as deleteRow,
  findTeamNamed,
  insertTeam,
  pageOfTeams,
  renameTeam as renameRow,
  type TeamRow,
} from './rows.ts';
import { checkTeamName, existingTeam, MAX_TEAMS_PER_ORG, recordTeam, teamCount } from './rules.ts';
import { Team, TeamCreate, TeamUpdate } from './schema.ts';

const tag = 'Teams';
const all = '/orgs/{orgId}/teams';
const one = `${all}/{teamId}` as const;

const present = ({ id, name }: TeamRow) => ({ id, name });

export const listOrganizationTeams = operation({
  id: 'listOrganizationTeams',
  summary: 'Lists the teams of an organization, oldest first.',
  tag,
  method: 'GET',
  path: all,
  access: 'Organization Member',
  reply: Team,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'teams' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId } = call.params;
      const { rows, next } = await pageOfTeams(tx, orgId, call.page);
      const totalCount = call.page.includeCount ? await countOf(tx, teamCount, orgId) : undefined;
      return { results: rows.map(present), next, totalCount };
    }),
});

export const createTeam = operation({
  id: 'createTeam',
  summary: 'Makes a team of members of an organization.',
  tag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  body: TeamCreate,
  reply: TeamCreate,
  status: 200,
  async handler(call) {
    const { orgId } = call.params;
    const { name, usernames } = call.body;
    assertUnchanged(call, {});
    return call.write(async (tx) => {
      await checkTeamName(tx, orgId, name);
      if ((await countOf(tx, teamCount, orgId)) >= MAX_TEAMS_PER_ORG) {
        throw teamFaults.MAX_TEAMS_PER_ORG_EXCEEDED(MAX_TEAMS_PER_ORG, orgId);
      }
      const team: TeamRow = { id: tx.id(), orgId, name };
      await insertTeam(tx, team);
      await addCount(tx, teamCount, orgId, 1);
      await recordTeam(tx, 'TEAM_CREATED', team, call);
      for (const username of usernames) await addNamed(tx, call.actor, team, username);
      return { ...present(team), usernames };
    });
  },
});

async function addNamed(tx: Tx, actor: Actor, team: TeamRow, username: string): Promise<void> {
  const id = (await findUserNamed(tx, username))?.id ?? (await reservedUserId(tx, username));
  if (id === undefined) throw userFaults.USERNAME_NOT_FOUND(username);
  const member = await findMember(tx, team.orgId, id);
  if (!member) throw userFaults.USER_NOT_IN_ORG(id, team.orgId);
  await change(tx, actor, member, { ...member.offer, teamIds: [...member.offer.teamIds, team.id] });
}

export const getTeam = operation({
  id: 'getTeamById',
  summary: 'Answers one team.',
  tag,
  method: 'GET',
  path: one,
  access: 'Organization Member',
  reply: Team,
  status: 200,
  handler: (call) => call.read(async (tx) => present(await existingTeam(tx, call.params))),
});

export const getTeamByName = operation({
  id: 'getTeamByName',
  summary: 'Answers the team of a name.',
  tag,
  method: 'GET',
  path: `${all}/byName/{teamName}`,
  access: 'Organization Member',
  reply: Team,
  status: 200,
  reachedFrom: { team: 'byName' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId, teamName } = call.params;
      const team = await findTeamNamed(tx, orgId, teamName);
      if (!team) throw teamFaults.TEAM_NAME_NOT_FOUND(teamName);
      return present(team);
    }),
});

export const renameTeam = operation({
  id: 'renameTeam',
  summary: 'Renames a team.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Organization Owner',
  body: TeamUpdate,
  reply: Team,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const team = await existingTeam(tx, call.params);
      const { name } = call.body;
      if (name === team.name) return present(team);
      await checkTeamName(tx, team.orgId, name);
      await renameRow(tx, team.id, name);
      await recordTeam(tx, 'TEAM_NAME_CHANGED', team, call);
      return present({ ...team, name });
    }),
});

export const deleteTeam = operation({
  id: 'deleteTeam',
  summary: 'Deletes a team; its members keep the roles that are their own.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const team = await existingTeam(tx, call.params);
      for (const groupId of await projectsOf(tx, team.id)) {
        await setRoles(tx, team.id, { kind: 'group', id: groupId }, []);
        await recordTeam(tx, 'TEAM_REMOVED_FROM_GROUP', team, { actor: call.actor, groupId });
      }
      await takeOffInvitations(tx, call.actor, team);
      await deleteRow(tx, team.id);
      await addCount(tx, teamCount, team.orgId, -1);
      await recordTeam(tx, 'TEAM_DELETED', team, call);
    });
  },
});

async function projectsOf(tx: ReadTx, teamId: string): Promise<Set<string>> {
  const held = await grantsHeldBy(tx, [teamId]);
  return new Set(held.filter(({ scope }) => scope === 'group').map(({ id }) => id));
}

async function takeOffInvitations(tx: Tx, actor: Actor, team: TeamRow): Promise<void> {
  for (const member of await membersOfOrganization(tx, team.orgId)) {
    const offer = member.invitation;
    if (!offer?.teamIds.includes(team.id)) continue;
    const teamIds = offer.teamIds.filter((id) => id !== team.id);
    await change(tx, actor, { ...member, offer }, { ...offer, teamIds });
  }
}
