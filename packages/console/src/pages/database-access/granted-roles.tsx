import { FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type DatabaseUser, type GroupPath, useList } from '../../api/resources.ts';
import { RemoveEntry } from '../../parts/remove-entry.tsx';

export type GrantedRole = DatabaseUser['roles'][number];

/** Built-in roles on the whole cluster. They are granted on the database `admin`, as custom roles are. */
const ofCluster = [
  'readWriteAnyDatabase',
  'readAnyDatabase',
  'dbAdminAnyDatabase',
  'platformAdmin',
  'clusterMonitor',
  'backup',
  'enableSharding',
];
const ofCollection = ['read', 'readWrite'];
const ofDatabase = [...ofCollection, 'dbAdmin'];

/**
 * Returns a role with the first values of its fields. For a role on a single database, the name of the database is
 * empty at first.
 */
export const grant = (roleName: string): GrantedRole => ({
  roleName,
  databaseName: ofDatabase.includes(roleName) ? '' : 'admin',
});

/** Returns a role in the form of the API, in which the name of the collection is absent instead of empty. */
export function sound({ roleName, databaseName, collectionName = '' }: GrantedRole): GrantedRole {
  return { roleName, databaseName, ...(collectionName !== '' && { collectionName }) };
}

interface GrantedRolesProps {
  /** The path of the project. */
  readonly group: GroupPath;
  readonly roles: readonly GrantedRole[];
  readonly onChange: (roles: readonly GrantedRole[]) => void;
}

/** The roles of a database user, each with its database and collection. */
export function GrantedRoles({ group, roles, onChange }: GrantedRolesProps) {
  const { data: custom = [] } = useList(`${group}/customDBRoles/roles`);
  const names = [...ofCluster, ...ofDatabase, ...custom.map(({ roleName }) => roleName)];
  const set = (at: number, role: GrantedRole) => onChange(roles.with(at, role));
  return (
    <Table aria-label="Roles of the user" variant="compact" role="table">
      <Thead>
        <Tr>
          <Th width={40}>Role</Th>
          {['Database', 'Collection', 'Action'].map((title) => (
            <Th key={title}>{title}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {roles.map((role, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new roles have no identity
          <Tr key={index}>
            <Td dataLabel="Role">
              <FormSelect
                aria-label={`Role ${index + 1}`}
                value={role.roleName}
                onChange={(_event, roleName) => set(index, grant(roleName))}
              >
                {[...new Set([role.roleName, ...names])].map((name) => (
                  <FormSelectOption key={name} value={name} label={name} />
                ))}
              </FormSelect>
            </Td>
            <Td dataLabel="Database">
              <TextInput
                aria-label={`Database of role ${index + 1}`}
                isDisabled={!ofDatabase.includes(role.roleName)}
                isRequired
                value={role.databaseName}
                onChange={(_event, databaseName) => set(index, { ...role, databaseName })}
              />
            </Td>
            <Td dataLabel="Collection">
              <TextInput
                aria-label={`Collection of role ${index + 1}`}
                placeholder="all"
                isDisabled={!ofCollection.includes(role.roleName)}
                value={role.collectionName ?? ''}
                onChange={(_event, collectionName) => set(index, { ...role, collectionName })}
              />
            </Td>
            <Td dataLabel="Action">
              <RemoveEntry name={`role ${index + 1}`} onRemove={() => onChange(roles.toSpliced(index, 1))} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
