import { countOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { teamFaults } from '../faults.ts';
import { findTeamNamed, pageOfTeams, type TeamRow } from '../model/teams/rows.ts';
import * as changes from './changes.ts';
import { requireTeam, teamCount } from './rules.ts';
import { Team, TeamCreate, TeamUpdate } from './schema.ts';

const presentTeam = ({ id, name }: TeamRow) => ({ id, name });

export const listOrganizationTeams = operation({
  id: 'listOrganizationTeams',
  tag: 'Teams',
  method: 'GET',
  path: '/orgs/{orgId}/teams',
  summary: 'Lists the teams of an organization, oldest first.',
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
      return { results: rows.map(presentTeam), next, totalCount };
    }),
});

export const createTeam = operation({
  id: 'createTeam',
  tag: 'Teams',
  method: 'POST',
  path: '/orgs/{orgId}/teams',
  summary: 'Creates a team of members of the organization.',
  access: 'Organization Owner',
  body: TeamCreate,
  reply: TeamCreate,
  status: 200,
  async handler(call) {
    const { orgId } = call.params;
    const { name, usernames } = call.body;
    return call.write(async (tx) => {
      const team = await changes.addTeam(tx, call.actor, { orgId, name, usernames });
      return { ...presentTeam(team), usernames };
    });
  },
});

export const getTeam = operation({
  id: 'getTeamById',
  tag: 'Teams',
  method: 'GET',
  path: '/orgs/{orgId}/teams/{teamId}',
  summary: 'Returns one team.',
  access: 'Organization Member',
  reply: Team,
  status: 200,
  handler: (call) => call.read(async (tx) => presentTeam(await requireTeam(tx, call.params))),
});

export const getTeamByName = operation({
  id: 'getTeamByName',
  tag: 'Teams',
  method: 'GET',
  path: '/orgs/{orgId}/teams/byName/{teamName}',
  summary: 'Returns one team, by its name.',
  access: 'Organization Member',
  reply: Team,
  status: 200,
  reachedFrom: { team: 'byName' },
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId, teamName } = call.params;
      const team = await findTeamNamed(tx, orgId, teamName);
      if (!team) throw teamFaults.TEAM_NAME_NOT_FOUND(teamName);
      return presentTeam(team);
    }),
});

export const renameTeam = operation({
  id: 'renameTeam',
  tag: 'Teams',
  method: 'PATCH',
  path: '/orgs/{orgId}/teams/{teamId}',
  summary: 'Renames a team.',
  access: 'Organization Owner',
  body: TeamUpdate,
  reply: Team,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const team = await requireTeam(tx, call.params);
      return presentTeam(await changes.renameTeam(tx, call.actor, team, call.body.name));
    }),
});

export const deleteTeam = operation({
  id: 'deleteTeam',
  tag: 'Teams',
  method: 'DELETE',
  path: '/orgs/{orgId}/teams/{teamId}',
  summary:
    'Deletes a team. The members lose the roles of the team, but keep the roles that were granted to them directly.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => changes.removeTeam(tx, call.actor, await requireTeam(tx, call.params)));
  },
});
