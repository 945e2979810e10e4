import { useState } from 'react';
import { useChange, useList } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';

interface AddDatabaseUserProps {
  /** The path of the project. */
  readonly group: string;
  readonly onClose: () => void;
}

const builtIn = ['readWriteAnyDatabase', 'readAnyDatabase', 'platformAdmin'];

export function AddDatabaseUser({ group, onClose }: AddDatabaseUserProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [roleName, setRole] = useState('readWriteAnyDatabase');
  const { data: custom = [] } = useList<{ readonly roleName: string }>(`${group}/customDBRoles/roles`);
  const roles = [...builtIn, ...custom.map((role) => role.roleName)];
  const adding = useChange(onClose);
  const add = () => {
    const body = { username, password, databaseName: 'admin', roles: [{ roleName, databaseName: 'admin' }] };
    adding.mutate({ method: 'POST', path: `${group}/databaseUsers`, body });
  };
  const { error } = adding;
  return (
    <FormDialog
      title="Add database user"
      action="Add"
      isReady={username !== '' && password !== ''}
      attempt={adding}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField
        id="username"
        label="User name"
        value={username}
        onChange={setUsername}
        error={error}
        isRequired
      />
      <TextField
        id="password"
        label="Password"
        type="password"
        value={password}
        onChange={setPassword}
        error={error}
        isRequired
      />
      <SelectField id="role" label="Role" value={roleName} options={roles} onChange={setRole} />
    </FormDialog>
  );
}

interface AddAddressProps {
  /** The path of the list. */
  readonly path: string;
  readonly hasComment?: boolean;
  readonly onClose: () => void;
}

export function AddAddress({ path, hasComment = true, onClose }: AddAddressProps) {
  const [address, setAddress] = useState('');
  const [comment, setComment] = useState('');
  const adding = useChange(onClose);
  const add = () => {
    const entry = address.includes('/') ? { cidrBlock: address } : { ipAddress: address };
    adding.mutate({ method: 'POST', path, body: [{ ...entry, ...(comment === '' ? {} : { comment }) }] });
  };
  return (
    <FormDialog
      title="Add address"
      action="Add"
      isReady={address !== ''}
      attempt={adding}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField
        id="address"
        label="Address"
        value={address}
        onChange={setAddress}
        help="An address, or a block such as 10.0.0.0/8"
        isRequired
      />
      {hasComment && <TextField id="comment" label="Comment" value={comment} onChange={setComment} />}
    </FormDialog>
  );
}
