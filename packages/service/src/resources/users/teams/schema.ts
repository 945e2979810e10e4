import Type from 'typebox';
import type { Role } from '../../../access/index.ts';
import { entity } from '../../../api/entity.ts';
import { Id, Links, readOnly } from '../../../api/fields.ts';
import { Name } from '../../organizations/index.ts';
import { GroupRoles, Username } from '../schema.ts';

export const Team = entity(
  Type.Object(
    { id: readOnly(Id()), links: Links, name: Name },
    { description: 'A team: members of an organization who get the same roles in its projects.' },
  ),
  { name: 'team', self: 'getTeamById', params: (team) => ({ teamId: team.id ?? '', teamName: team.name }) },
);

/** A team in the response to its creation, which also contains the first members. */
export const TeamCreate = entity(
  Type.Object({
    ...Team.properties,
    usernames: Type.Array(Username(), { uniqueItems: true, maxItems: 500 }),
  }),
  { name: 'team', self: 'getTeamById', params: (team) => ({ teamId: team.id ?? '', teamName: team.name }) },
);

export const TeamUpdate = Type.Object({ links: Links, name: Name });

export interface ProjectTeamView {
  readonly teamId: string;
  readonly roleNames: Role[];
}

const fields = { links: Links, roleNames: GroupRoles };

export const ProjectTeam = entity(
  Type.Object({ ...fields, teamId: Id() }, { description: 'A team, with its roles in a project.' }),
  { name: 'projectTeam', self: 'getProjectTeam', params: ({ teamId }) => ({ teamId }) },
);

export const ProjectTeamUpdate = Type.Object({ ...fields, teamId: Type.Optional(Id()) });

export const TeamMemberId = Type.Object({ id: Id({ description: 'Id of the user.' }) });
