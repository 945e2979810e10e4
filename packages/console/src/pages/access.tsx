import { Button, Flex, FlexItem, Stack, StackItem, Title } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { type AccessEntry, type DatabaseUser, useChange, useList } from '../api/resources.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { View } from '../parts/view.tsx';
import { AddAddress, AddDatabaseUser } from './add-access.tsx';

/** Who may connect to the clusters of a project, and from where. */
export function AccessPage({ groupId }: { readonly groupId: string }) {
  const group = `/groups/${groupId}`;
  return (
    <View title="Database access">
      <Stack hasGutter>
        <StackItem>
          <DatabaseUsers group={group} />
        </StackItem>
        <StackItem>
          <Addresses group={group} />
        </StackItem>
      </Stack>
    </View>
  );
}

function Heading({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Flex>
      <FlexItem className="grow">
        <Title headingLevel="h2">{title}</Title>
      </FlexItem>
      {children}
    </Flex>
  );
}

function Remove({ path, name }: { readonly path: string; readonly name: string }) {
  const removal = useChange();
  return (
    <>
      <Button
        variant="link"
        isInline
        isDanger
        aria-label={`Delete ${name}`}
        isLoading={removal.isPending}
        onClick={() => removal.mutate({ method: 'DELETE', path })}
      >
        Delete
      </Button>
      <Problem error={removal.error} />
    </>
  );
}

function DatabaseUsers({ group }: { readonly group: string }) {
  const path = `${group}/databaseUsers`;
  const { data, error } = useList<DatabaseUser>(`${path}?itemsPerPage=500`);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Database users">
        <Button variant="secondary" onClick={() => setAdding(true)}>
          Add database user
        </Button>
      </Heading>
      <DataTable<DatabaseUser>
        label="Database users"
        columns={[
          { title: 'User', cell: ({ username }) => username },
          { title: 'Authenticates at', cell: ({ databaseName }) => databaseName },
          {
            title: 'Roles',
            cell: ({ roles }) => roles.map((role) => `${role.roleName}@${role.databaseName}`).join(', '),
          },
          {
            title: 'Action',
            cell: ({ username, databaseName }) => (
              <Remove path={`${path}/${databaseName}/${encodeURIComponent(username)}`} name={username} />
            ),
          },
        ]}
        rows={data}
        keyOf={({ username, databaseName }) => `${databaseName} ${username}`}
        error={error}
        empty="Add a user, with which drivers log in to the clusters."
      />
      {isAdding && <AddDatabaseUser path={path} onClose={() => setAdding(false)} />}
    </>
  );
}

function Addresses({ group }: { readonly group: string }) {
  const path = `${group}/accessList`;
  const { data, error } = useList<AccessEntry>(`${path}?itemsPerPage=500`);
  const [isAdding, setAdding] = useState(false);
  const nameOf = ({ ipAddress, cidrBlock = '' }: AccessEntry) => ipAddress ?? cidrBlock;
  return (
    <>
      <Heading title="Access list">
        <Button variant="secondary" onClick={() => setAdding(true)}>
          Add address
        </Button>
      </Heading>
      <DataTable<AccessEntry>
        label="Addresses"
        columns={[
          { title: 'Address', cell: nameOf },
          { title: 'Comment', cell: ({ comment }) => comment },
          {
            title: 'Action',
            cell: (entry) => (
              <Remove path={`${path}/${encodeURIComponent(nameOf(entry))}`} name={nameOf(entry)} />
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
