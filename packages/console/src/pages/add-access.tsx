import { useState } from 'react';
import { useChange } from '../api/resources.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';

interface AddProps {
  readonly path: string;
  readonly onClose: () => void;
}

const roles = ['readWriteAnyDatabase', 'readAnyDatabase', 'platformAdmin'];

export function AddDatabaseUser({ path, onClose }: AddProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [roleName, setRole] = useState('readWriteAnyDatabase');
  const adding = useChange(onClose);
  const add = () => {
    const body = { username, password, databaseName: 'admin', roles: [{ roleName, databaseName: 'admin' }] };
    adding.mutate({ method: 'POST', path, body });
  };
  const { error } = adding;
  return (
    <FormDialog
      title="Add database user"
      action="Add"
      isReady={username !== '' && password !== ''}
      isBusy={adding.isPending}
      error={error}
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

export function AddAddress({ path, onClose }: AddProps) {
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
      isBusy={adding.isPending}
      error={adding.error}
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
      <TextField id="comment" label="Comment" value={comment} onChange={setComment} />
    </FormDialog>
  );
}
