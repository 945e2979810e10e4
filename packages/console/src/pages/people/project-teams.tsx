import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { RolesField } from '../../parts/roles-field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { type InProject, organizationPlace, type ProjectPlace } from './place.ts';
import { RolesDialog } from './roles-dialog.tsx';
import type { Team } from './teams.tsx';

type ProjectTeam = Schemas['ProjectTeam'];

/** The teams with roles in a project. */
export function ProjectTeams({ place }: InProject) {
  const path = `${place.path}/teams` as const;
  const { data, error } = useList(path);
  const { data: teams = [] } = useList(`/orgs/${place.orgId}/teams`);
  const [changed, setChanged] = useState<ProjectTeam>();
  const [isAdding, setAdding] = useState(false);
  const nameOf = (teamId: string) => teams.find(({ id }) => id === teamId)?.name ?? teamId;
  const { address } = organizationPlace(place.orgId, false);
  return (
    <>
      <Heading title="Teams">
        {place.isOwner && <Button onClick={() => setAdding(true)}>Add team</Button>}
      </Heading>
      <DataTable<ProjectTeam>
        label="Teams"
        columns={[
          {
            title: 'Team',
            cell: ({ teamId }) => <Link href={`${address}/teams/${teamId}`}>{nameOf(teamId)}</Link>,
          },
          { title: 'Roles', cell: ({ roleNames }) => rolesText(roleNames) },
          {
            title: 'Action',
            cell: (team) =>
              place.isOwner && (
                <>
                  <Button
                    variant="link"
                    isInline
                    className="beside"
                    aria-label={`Change roles of ${nameOf(team.teamId)}`}
                    onClick={() => setChanged(team)}
                  >
                    Change roles
                  </Button>
                  <Remove
                    name={nameOf(team.teamId)}
                    action="Remove"
                    change={apiRequest('DELETE', `${path}/${team.teamId}`)}
                    consequence="The members of the team lose the roles of the team in this project."
                  />
                </>
              ),
          },
        ]}
        rows={data}
        keyOf={({ teamId }) => teamId}
        error={error}
        empty="Add a team of the organization. Its members then have the roles of the team in this project."
      />
      {isAdding && <AddTeam place={place} teams={teams} onClose={() => setAdding(false)} />}
      {changed && (
        <RolesDialog
          name={nameOf(changed.teamId)}
          roles={place.roles}
          held={changed.roleNames}
          changeTo={(roleNames) => apiRequest('PATCH', `${path}/${changed.teamId}`, { roleNames })}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  );
}

interface AddTeamProps {
  readonly place: ProjectPlace;
  readonly teams: readonly Team[];
  readonly onClose: () => void;
}

function AddTeam({ place, teams, onClose }: AddTeamProps) {
  const [chosen, setChosen] = useState<string>();
  const [roleNames, setRoles] = useState<readonly string[]>(['GROUP_READ_ONLY']);
  const teamId = chosen ?? teams[0]?.id;
  const adding = useChange(onClose);
  const add = () =>
    adding.mutate(apiRequest('POST', `${place.path}/teams`, [{ teamId: teamId ?? '', roleNames }]));
  return (
    <FormDialog
      title="Add team"
      action="Add"
      isReady={teamId !== undefined && roleNames.length > 0}
      attempt={adding}
      onSubmit={add}
      onClose={onClose}
    >
      <SelectField
        id="team"
        label="Team"
        value={teamId ?? ''}
        options={teams.map(({ id, name }) => [id, name])}
        onChange={setChosen}
        help={
          teams.length === 0 ? 'The organization has no teams: create one under Organization access.' : ''
        }
      />
      <RolesField roles={place.roles} value={roleNames} onChange={setRoles} error={adding.error} />
    </FormDialog>
  );
}
