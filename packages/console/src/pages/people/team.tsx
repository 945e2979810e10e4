import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useDocument, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { nameOf, type OrganizationMember } from './organization-members.tsx';
import type { OrganizationPlace } from './place.ts';
import { TeamDialog } from './teams.tsx';

interface TeamPageProps {
  readonly place: OrganizationPlace;
  readonly id: string;
}

/** The members of a team. */
export function TeamPage({ place: { path: at, address, isOwner }, id }: TeamPageProps) {
  const path = `${at}/teams/${id}` as const;
  const { data: team, error } = useDocument(path);
  const members = useList(`${path}/users`);
  const [dialog, setDialog] = useState<'add' | 'rename'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Link href={`${address}/teams`}>All teams</Link>
      <Problem error={error} />
      <Heading title={team?.name ?? 'Team'}>
        {isOwner && (
          <>
            <Button variant="secondary" onClick={() => setDialog('rename')}>
              Rename
            </Button>
            <Button onClick={() => setDialog('add')}>Add member</Button>
          </>
        )}
      </Heading>
      <DataTable<OrganizationMember>
        label="Members"
        columns={[
          { title: 'User name', cell: ({ username }) => username },
          { title: 'Name', cell: nameOf },
          {
            title: 'Action',
            cell: (member) =>
              isOwner && (
                <Remove
                  name={member.username}
                  action="Remove"
                  change={apiRequest('POST', `${path}:removeUser`, { id: member.id })}
                  consequence="The person loses the roles of the team, and stays in the organization."
                />
              ),
          },
        ]}
        rows={members.data}
        keyOf={(member) => member.id}
        error={members.error}
        empty="Add people of the organization; they get the roles of the team in its projects."
      />
      {dialog === 'rename' && team && <TeamDialog path={`${at}/teams`} team={team} onClose={close} />}
      {dialog === 'add' && <AddMember organization={at} path={path} members={members.data} onClose={close} />}
    </>
  );
}

interface AddMemberProps {
  /** The path of the organization. */
  readonly organization: `/orgs/${string}`;
  readonly path: `/orgs/${string}/teams/${string}`;
  readonly members: readonly OrganizationMember[] | undefined;
  readonly onClose: () => void;
}

function AddMember({ organization, path, members = [], onClose }: AddMemberProps) {
  const { data = [] } = useList(`${organization}/users`);
  const others = data.filter((person) => !members.some(({ id }) => id === person.id));
  const [chosen, setChosen] = useState<string>();
  const id = chosen ?? others[0]?.id;
  const adding = useChange(onClose);
  return (
    <FormDialog
      title="Add member"
      action="Add"
      isReady={id !== undefined}
      attempt={adding}
      onSubmit={() => adding.mutate(apiRequest('POST', `${path}:addUser`, { id: id ?? '' }))}
      onClose={onClose}
    >
      <SelectField
        id="person"
        label="Person"
        value={id ?? ''}
        options={others.map((person) => [person.id, person.username])}
        onChange={setChosen}
        help="Somebody of the organization who is not in the team yet"
      />
    </FormDialog>
  );
}
