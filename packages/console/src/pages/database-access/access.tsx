import { Button, Stack, StackItem } from '@patternfly/react-core';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type DatabaseUser, type GroupPath, useList } from '../../api/resources.ts';
import { type May, useProjectRights } from '../../api/rights.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { later } from '../../parts/later.tsx';
import { Remove } from '../../parts/remove.tsx';
import { MissingRole } from '../../parts/restricted.tsx';
import { View } from '../../parts/view.tsx';
import { AddAddress } from './add-address.tsx';
import { DatabaseUserDialog } from './database-user-dialog.tsx';

const CustomRoles = later(async () => (await import('./custom-roles.tsx')).CustomRoles);

/** The users who may connect to the clusters of a project, and the addresses from which they may connect. */
export function AccessPage({ groupId }: { readonly groupId: string }) {
  const group = `/groups/${groupId}` as const;
  const may = useProjectRights(groupId);
  return (
    <View title="Database access">
      <MissingRole may={may} roles={[USERS]} to="change database users and custom roles" />
      <MissingRole may={may} roles={[ADDRESSES]} to="change the access list" />
      <Stack hasGutter>
        <StackItem>
          <DatabaseUsers group={group} may={may} />
        </StackItem>
        <StackItem>
          <Addresses group={group} may={may} />
        </StackItem>
        <StackItem>
          <CustomRoles group={group} isAdmin={may(USERS)} />
        </StackItem>
      </Stack>
    </View>
  );
}

/** The roles that may change the database users and the addresses. */
const USERS = 'GROUP_DATABASE_ACCESS_ADMIN';
const ADDRESSES = 'GROUP_OWNER';

interface AccessProps {
  readonly group: GroupPath;
  readonly may: May;
}

function DatabaseUsers({ group, may }: AccessProps) {
  const path = `${group}/databaseUsers` as const;
  const { data, error } = useList(path);
  const [dialog, setDialog] = useState<DatabaseUser | 'new'>();
  return (
    <>
      <Heading title="Database users">
        {may(USERS) && (
          <Button variant="secondary" onClick={() => setDialog('new')}>
            Add database user
          </Button>
        )}
      </Heading>
      <DataTable
        label="Database users"
        columns={userColumns(path, may(USERS) ? setDialog : undefined)}
        rows={data}
        keyOf={({ username, databaseName }) => `${databaseName} ${username}`}
        error={error}
        empty="Add a user, with which drivers log in to the clusters."
      />
      {dialog && (
        <DatabaseUserDialog
          group={group}
          user={dialog === 'new' ? undefined : dialog}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

/** Formats a role with its database and collection, such as `read@shop.orders`. */
const roleText = ({ roleName, databaseName, collectionName }: DatabaseUser['roles'][number]) =>
  [`${roleName}@${databaseName}`, collectionName].filter(Boolean).join('.');

const userColumns = (
  path: `${GroupPath}/databaseUsers`,
  edit: ((user: DatabaseUser) => void) | undefined,
): readonly Column<DatabaseUser>[] => [
  { title: 'User', cell: ({ username }) => username },
  { title: 'Authentication database', cell: ({ databaseName }) => databaseName },
  { title: 'Roles', cell: ({ roles }) => roles.map(roleText).join(', ') },
  {
    title: 'Clusters',
    cell: ({ scopes = [] }) => (scopes.length === 0 ? 'all' : scopes.map(({ name }) => name).join(', ')),
  },
  {
    title: 'Action',
    cell: (user) =>
      edit && (
        <>
          <Button
            variant="link"
            isInline
            className="beside"
            aria-label={`Edit ${user.username}`}
            onClick={() => edit(user)}
          >
            Edit
          </Button>
          <Remove
            name={user.username}
            change={apiRequest(
              'DELETE',
              `${path}/${encodeURIComponent(user.databaseName)}/${encodeURIComponent(user.username)}`,
            )}
            consequence="Drivers can no longer log in as this user."
          />
        </>
      ),
  },
];

type AccessEntry = Schemas['AccessListEntry'];

function Addresses({ group, may }: AccessProps) {
  const path = `${group}/accessList` as const;
  const { data, error } = useList(path);
  const [isAdding, setAdding] = useState(false);
  const nameOf = ({ ipAddress, cidrBlock = '' }: AccessEntry) => ipAddress ?? cidrBlock;
  return (
    <>
      <Heading title="Access list">
        {may(ADDRESSES) && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            Add address
          </Button>
        )}
      </Heading>
      <DataTable<AccessEntry>
        label="Addresses"
        columns={[
          { title: 'Address', cell: nameOf },
          { title: 'Comment', cell: ({ comment }) => comment },
          {
            title: 'Action',
            cell: (entry) =>
              may(ADDRESSES) && (
                <Remove
                  name={nameOf(entry)}
                  change={apiRequest('DELETE', `${path}/${encodeURIComponent(nameOf(entry))}`)}
                  consequence="Drivers can no longer connect from this address."
                />
              ),
          },
        ]}
        rows={data}
        keyOf={nameOf}
        error={error}
        empty="Add the addresses from which drivers connect, such as 127.0.0.1."
      />
      {isAdding && <AddAddress path={path} onClose={() => setAdding(false)} />}
    </>
  );
}
