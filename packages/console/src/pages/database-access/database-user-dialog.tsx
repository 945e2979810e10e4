import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type DatabaseUser, type GroupPath, useChange } from '../../api/resources.ts';
import { FieldHelp } from '../../parts/field-help.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { type GrantedRole, GrantedRoles, grant, sound } from './granted-roles.tsx';
import { type Scope, ScopesField } from './scopes-field.tsx';

interface DatabaseUserDialogProps {
  /** The path of the project. */
  readonly group: GroupPath;
  /** The user to change; absent for a new one. */
  readonly user: DatabaseUser | undefined;
  readonly onClose: () => void;
}

/** Adds a database user, or changes the password, the roles and the clusters of one. */
export function DatabaseUserDialog({ group, user, onClose }: DatabaseUserDialogProps) {
  const [username, setUsername] = useState(user?.username ?? '');
  const [password, setPassword] = useState('');
  const [roles, setRoles] = useState<readonly GrantedRole[]>(user?.roles ?? [grant('readWriteAnyDatabase')]);
  const [scopes, setScopes] = useState<readonly Scope[]>(user?.scopes ?? []);
  const change = useChange(onClose);
  const hasPassword = user === undefined || user.databaseName === 'admin';
  const save = () =>
    change.mutate(requestOf(group, user, { username, password, roles: roles.map(sound), scopes }));
  const { error } = change;
  return (
    <FormDialog
      title={user === undefined ? 'Add database user' : `Change ${user.username}`}
      action={user === undefined ? 'Add' : 'Save'}
      isReady={username !== '' && (user !== undefined || password !== '') && isComplete(roles)}
      attempt={change}
      onSubmit={save}
      onClose={onClose}
    >
      {user === undefined && (
        <TextField
          id="username"
          label="User name"
          value={username}
          onChange={setUsername}
          error={error}
          isRequired
        />
      )}
      {hasPassword && (
        <TextField
          id="password"
          label={user === undefined ? 'Password' : 'New password'}
          type="password"
          value={password}
          onChange={setPassword}
          error={error}
          help={
            user === undefined
              ? '8 characters or more'
              : '8 characters or more; leave empty to keep the current password'
          }
          isRequired={user === undefined}
        />
      )}
      <GrantedRoles group={group} roles={roles} onChange={setRoles} />
      <div>
        <Button variant="secondary" onClick={() => setRoles([...roles, grant('read')])}>
          Add role
        </Button>
        <FieldHelp problem={undefined} help="A custom role can only be the single role of a user" />
      </div>
      <ScopesField group={group} scopes={scopes} onChange={setScopes} />
    </FormDialog>
  );
}

const isComplete = (roles: readonly GrantedRole[]): boolean =>
  roles.length > 0 && roles.every(({ databaseName }) => databaseName !== '');

interface Answers {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly GrantedRole[];
  readonly scopes: readonly Scope[];
}

function requestOf(group: GroupPath, user: DatabaseUser | undefined, answers: Answers) {
  const { username, password, roles, scopes } = answers;
  const users = `${group}/databaseUsers` as const;
  if (user === undefined) {
    const body = { username, password, databaseName: 'admin', roles, scopes };
    return apiRequest('POST', users, body);
  }
  const path =
    `${users}/${encodeURIComponent(user.databaseName)}/${encodeURIComponent(user.username)}` as const;
  const body = { roles, scopes, ...(password !== '' && { password }) };
  return apiRequest('PATCH', path, body);
}
