import Type from 'typebox';
import { grantsOn, isRole, type Role, rolesAt } from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import { type PageRequest, pageOf, type ReadTx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { teamFaults } from '../faults.ts';
import { requireProject } from '../model/rules.ts';
import { type TeamRow, teamsAmong } from '../model/teams/rows.ts';
import { removeTeamFromProject, setTeamRoles } from './changes.ts';
import { MAX_TEAMS_PER_GROUP, requireTeam } from './rules.ts';
import { ProjectTeam, ProjectTeamUpdate, type ProjectTeamView } from './schema.ts';

/**
 * These operations are about the teams of a project. A team belongs to a project if it has a role in the
 * project. The role applies to each member of the team.
 */

export const listProjectTeams = operation({
  id: 'listProjectTeams',
  tag: 'Teams',
  method: 'GET',
  path: '/groups/{groupId}/teams',
  summary: 'Lists the teams of a project with their roles.',
  access: 'Project Read Only',
  reply: ProjectTeam,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'teams' },
  handler: (call) => call.read((tx) => pageOfProjectTeams(tx, call.params.groupId, call.page)),
});

export const addProjectTeams = operation({
  id: 'addAllTeamsToProject',
  tag: 'Teams',
  method: 'POST',
  path: '/groups/{groupId}/teams',
  summary: 'Grants roles in a project to teams of the organization, and returns all teams of the project.',
  access: 'Project Owner',
  // The schema permits more entries than the limit. The handler then rejects a larger number of teams with the error
  // code for this case.
  body: Type.Array(ProjectTeam, { maxItems: 2 * MAX_TEAMS_PER_GROUP }),
  reply: ProjectTeam,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgId, groupId } = await requireProject(tx, call.params.groupId);
      for (const { teamId, roleNames } of call.body) {
        const team = await requireTeam(tx, { orgId, teamId });
        await setTeamRoles(tx, call.actor, team, { groupId, roleNames });
      }
      if ((await teamsOfProject(tx, groupId)).length > MAX_TEAMS_PER_GROUP) {
        throw teamFaults.MAX_TEAMS_PER_GROUP_EXCEEDED(MAX_TEAMS_PER_GROUP, groupId);
      }
      return pageOfProjectTeams(tx, groupId, call.page);
    }),
});

export const getProjectTeam = operation({
  id: 'getProjectTeam',
  tag: 'Teams',
  method: 'GET',
  path: '/groups/{groupId}/teams/{teamId}',
  summary: 'Returns one team of a project with its roles.',
  access: 'Project Read Only',
  reply: ProjectTeam,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { team, roleNames } = await requireProjectTeam(tx, call.params);
      return { teamId: team.id, roleNames };
    }),
});

export const updateTeamRoles = operation({
  id: 'updateTeamRoles',
  tag: 'Teams',
  method: 'PATCH',
  path: '/groups/{groupId}/teams/{teamId}',
  summary: 'Replaces the roles of a team in a project, and returns all teams of the project.',
  access: 'Project Owner',
  body: ProjectTeamUpdate,
  reply: ProjectTeam,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, teamId } = call.params;
      if ((call.body.teamId ?? teamId) !== teamId) throw generalFaults.ATTRIBUTE_READ_ONLY('teamId');
      const { team } = await requireProjectTeam(tx, call.params);
      await setTeamRoles(tx, call.actor, team, { groupId, roleNames: call.body.roleNames });
      return pageOfProjectTeams(tx, groupId, call.page);
    }),
});

export const removeProjectTeam = operation({
  id: 'removeProjectTeam',
  tag: 'Teams',
  method: 'DELETE',
  path: '/groups/{groupId}/teams/{teamId}',
  summary: 'Removes a team from a project.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const { groupId } = call.params;
    await call.write(async (tx) => {
      const { team } = await requireProjectTeam(tx, call.params);
      await removeTeamFromProject(tx, call.actor, team, groupId);
    });
  },
});

/** Throws TEAM_NOT_IN_GROUP for a team without a role in the project. */
async function requireProjectTeam(
  tx: ReadTx,
  { groupId, teamId }: { readonly groupId: string; readonly teamId: string },
): Promise<{ team: TeamRow; roleNames: Role[] }> {
  const { orgId } = await requireProject(tx, groupId);
  const team = await requireTeam(tx, { orgId, teamId });
  const roleNames = await rolesAt(tx, teamId, { kind: 'group', id: groupId });
  if (roleNames.length === 0) throw teamFaults.TEAM_NOT_IN_GROUP(teamId, groupId);
  return { team, roleNames };
}

async function pageOfProjectTeams(tx: ReadTx, groupId: string, page: PageRequest) {
  return pageOf(await teamsOfProject(tx, groupId), page);
}

async function teamsOfProject(tx: ReadTx, groupId: string): Promise<ProjectTeamView[]> {
  const grants = await grantsOn(tx, { kind: 'group', id: groupId });
  const teams = await teamsAmong(tx, [...new Set(grants.map(({ principalId }) => principalId))]);
  return teams.map(({ id }) => {
    const own = grants.filter(({ principalId }) => principalId === id).map(({ role }) => role);
    return { teamId: id, roleNames: own.filter(isRole) };
  });
}
