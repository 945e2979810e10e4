import { holdRoles } from '../../../access/index.ts';
import { counter, type ReadTx } from '../../../store/index.ts';
import { isName } from '../../organizations/index.ts';
import { teamFaults } from '../faults.ts';
import { findTeam, findTeamNamed, type TeamRow, teamIdsIn } from '../model/teams/rows.ts';

/** The limits of the vendor's service. */
export const MAX_TEAMS_PER_ORG = 250;
export const MAX_TEAMS_PER_GROUP = 100;

/** Maximum number of roles of all teams of an organization. A member of these teams has all of the roles. */
const MAX_TEAM_ROLES = 5000;

export const teamCount = counter('org', 'teams');

/** Throws TEAM_NOT_FOUND, or TEAM_NOT_IN_ORG for a team of another organization. */
export async function requireTeam(
  tx: ReadTx,
  { orgId, teamId }: { readonly orgId: string; readonly teamId: string },
): Promise<TeamRow> {
  const team = await findTeam(tx, teamId);
  if (!team) throw teamFaults.TEAM_NOT_FOUND(teamId);
  if (team.orgId !== orgId) throw teamFaults.TEAM_NOT_IN_ORG(teamId, orgId);
  return team;
}

export async function checkTeamName(tx: ReadTx, orgId: string, name: string): Promise<void> {
  if (!isName(name)) throw teamFaults.INVALID_TEAM_NAME(name);
  if (await findTeamNamed(tx, orgId, name)) throw teamFaults.TEAM_NAME_NOT_AVAILABLE(name, orgId);
}

/** Throws MAX_TEAM_ROLES_EXCEEDED if the teams of an organization already have the maximum number of roles. */
export async function checkTeamRoles(tx: ReadTx, orgId: string): Promise<void> {
  if (await holdRoles(tx, await teamIdsIn(tx, orgId), MAX_TEAM_ROLES))
    throw teamFaults.MAX_TEAM_ROLES_EXCEEDED(MAX_TEAM_ROLES, orgId);
}
