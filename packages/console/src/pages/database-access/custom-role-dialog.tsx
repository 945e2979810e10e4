import { Button, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { actions, isClusterWide } from './actions.ts';
import type { CustomRole } from './custom-roles.tsx';

/** An action on one database and collection. An empty name means all databases or collections. */
interface Right {
  readonly action: string;
  readonly db: string;
  readonly collection: string;
}

const rightsOf = (role: CustomRole | undefined): readonly Right[] =>
  role === undefined
    ? [{ action: 'FIND', db: '', collection: '' }]
    : role.actions.flatMap(({ action, resources = [] }) =>
        resources.map(({ db = '', collection = '' }) => ({ action, db, collection })),
      );

/** Returns the rights in the form of the API: each action once, with all its resources. */
const actionsOf = (rights: readonly Right[]) =>
  [...new Set(rights.map(({ action }) => action))].map((action) => ({
    action,
    resources: isClusterWide(action)
      ? [{ cluster: true }]
      : rights.filter((right) => right.action === action).map(({ db, collection }) => ({ db, collection })),
  }));

/** Parses inherited roles, such as `readAnyDatabase@admin, other`. A role without a database is a custom role. */
const inheritedIn = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [role = '', db = 'admin'] = part.split('@');
      return { role, db };
    });

interface CustomRoleDialogProps {
  readonly path: `${GroupPath}/customDBRoles/roles`;
  /** The role to change; absent for a new one. */
  readonly role: CustomRole | undefined;
  readonly onClose: () => void;
}

/** Creates or changes a custom role. */
export function CustomRoleDialog({ path, role, onClose }: CustomRoleDialogProps) {
  const [roleName, setName] = useState(role?.roleName ?? '');
  const [rights, setRights] = useState(rightsOf(role));
  const [inherited, setInherited] = useState(
    role?.inheritedRoles.map((one) => `${one.role}@${one.db}`).join(', ') ?? '',
  );
  const change = useChange(onClose);
  const save = () => {
    const body = { actions: actionsOf(rights), inheritedRoles: inheritedIn(inherited) };
    change.mutate(
      role === undefined
        ? apiRequest('POST', path, { ...body, roleName })
        : apiRequest('PATCH', `${path}/${encodeURIComponent(roleName)}`, body),
    );
  };
  return (
    <FormDialog
      title={role === undefined ? 'Create role' : `Change ${roleName}`}
      action={role === undefined ? 'Create' : 'Save'}
      isReady={roleName !== '' && (rights.length > 0 || inherited !== '')}
      attempt={change}
      onSubmit={save}
      onClose={onClose}
    >
      {role === undefined && (
        <TextField
          id="roleName"
          label="Name"
          value={roleName}
          onChange={setName}
          error={change.error}
          isRequired
        />
      )}
      <Rights rights={rights} onChange={setRights} />
      <div>
        <Button
          variant="secondary"
          onClick={() => setRights([...rights, { action: 'FIND', db: '', collection: '' }])}
        >
          Add action
        </Button>
      </div>
      <TextField
        id="inheritedRoles"
        label="Inherited roles"
        value={inherited}
        onChange={setInherited}
        error={change.error}
        help="Built-in or custom roles with their databases, such as read@shop, separated by commas"
      />
    </FormDialog>
  );
}

interface RightsProps {
  readonly rights: readonly Right[];
  readonly onChange: (rights: readonly Right[]) => void;
}

function Rights({ rights, onChange }: RightsProps) {
  const set = (at: number, change: Partial<Right>) =>
    onChange(rights.map((right, index) => (index === at ? { ...right, ...change } : right)));
  return (
    <Table aria-label="Actions of the role" variant="compact" role="table">
      <Thead>
        <Tr>
          {['Allowed action', 'Database', 'Collection', 'Action'].map((title) => (
            <Th key={title}>{title}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rights.map((right, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new rights have no identity
          <Tr key={index}>
            <Td dataLabel="Allowed action">
              <FormSelect
                aria-label={`Allowed action ${index + 1}`}
                value={right.action}
                onChange={(_event, action) => set(index, { action })}
              >
                {actions.map((action) => (
                  <FormSelectOption key={action} value={action} label={action} />
                ))}
              </FormSelect>
            </Td>
            {(['db', 'collection'] as const).map((field) => (
              <Td key={field} dataLabel={field === 'db' ? 'Database' : 'Collection'}>
                <TextInput
                  aria-label={`${field === 'db' ? 'Database' : 'Collection'} of action ${index + 1}`}
                  placeholder="all"
                  isDisabled={isClusterWide(right.action)}
                  value={right[field]}
                  onChange={(_event, value) => set(index, { [field]: value })}
                />
              </Td>
            ))}
            <Td dataLabel="Action">
              <RemoveEntry
                name={`action ${index + 1}`}
                onRemove={() => onChange(rights.toSpliced(index, 1))}
              />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
