import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiEntry } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { InOrganization } from './place.ts';

export type Team = ApiEntry<`/orgs/${string}/teams`>;

export function Teams({ place: { path: at, address, isOwner } }: InOrganization) {
  const path = `${at}/teams` as const;
  const { data, error } = useList(path);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Heading title="Teams">
        {isOwner && <Button onClick={() => setCreating(true)}>Create team</Button>}
      </Heading>
      <DataTable<Team>
        label="Teams"
        columns={[
          { title: 'Team', cell: ({ id, name }) => <Link href={`${address}/teams/${id}`}>{name}</Link> },
          {
            title: 'Action',
            cell: ({ id, name }) =>
              isOwner && (
                <Remove
                  name={name}
                  change={apiRequest('DELETE', `${path}/${id}`)}
                  consequence="The members lose the roles of the team, but keep the roles that were granted to them directly."
                />
              ),
          },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Create a team, whose members get the same roles in projects."
      />
      {isCreating && <TeamDialog path={path} onClose={() => setCreating(false)} />}
    </>
  );
}

interface TeamDialogProps {
  readonly path: `/orgs/${string}/teams`;
  /** The team to rename; absent for a new one. */
  readonly team?: Team;
  readonly onClose: () => void;
}

/** Creates or renames a team. */
export function TeamDialog({ path, team, onClose }: TeamDialogProps) {
  const [name, setName] = useState(team?.name ?? '');
  const change = useChange(onClose);
  const save = () =>
    change.mutate(
      team === undefined
        ? apiRequest('POST', path, { name, usernames: [] })
        : apiRequest('PATCH', `${path}/${team.id}`, { name }),
    );
  return (
    <FormDialog
      title={team === undefined ? 'Create team' : `Rename ${team.name}`}
      action={team === undefined ? 'Create' : 'Rename'}
      isReady={name !== '' && name !== team?.name}
      attempt={change}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField id="name" label="Name" value={name} onChange={setName} error={change.error} isRequired />
    </FormDialog>
  );
}
