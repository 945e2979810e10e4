import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { AddressListPath } from '../people/place.ts';

interface AddAddressProps {
  /** The path of the access list in the API. */
  readonly path: `${GroupPath}/accessList` | AddressListPath;
  readonly hasComment?: boolean;
  readonly onClose: () => void;
}

export function AddAddress({ path, hasComment = true, onClose }: AddAddressProps) {
  const [address, setAddress] = useState('');
  const [comment, setComment] = useState('');
  const adding = useChange(onClose);
  const { error } = adding;
  const field = address.includes('/') ? 'cidrBlock' : 'ipAddress';
  const add = () => {
    const entry = field === 'cidrBlock' ? { cidrBlock: address } : { ipAddress: address };
    adding.mutate(apiRequest('POST', path, [{ ...entry, ...(comment === '' ? {} : { comment }) }]));
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
        error={error}
        field={field}
        help="An address, or a block such as 10.0.0.0/8"
        isRequired
      />
      {hasComment && (
        <TextField id="comment" label="Comment" value={comment} onChange={setComment} error={error} />
      )}
    </FormDialog>
  );
}
