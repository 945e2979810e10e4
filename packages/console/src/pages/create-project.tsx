import { useState } from 'react';
import { apiRequest } from '../api/requests.ts';
import { type Organization, useChange } from '../api/resources.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';

interface CreateProjectProps {
  readonly organizations: readonly Organization[];
  readonly onClose: () => void;
}

export function CreateProject({ organizations, onClose }: CreateProjectProps) {
  const [name, setName] = useState('');
  const [organization, setOrganization] = useState(organizations[0]?.name ?? '');
  const creation = useChange(onClose);
  const create = () => {
    const orgId = organizations.find((one) => one.name === organization)?.id ?? '';
    creation.mutate(apiRequest('POST', '/groups', { name, orgId }));
  };
  return (
    <FormDialog
      title="Create project"
      action="Create"
      isReady={name !== ''}
      attempt={creation}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField id="name" label="Name" value={name} onChange={setName} error={creation.error} isRequired />
      <SelectField
        id="organization"
        label="Organization"
        value={organization}
        options={organizations.map((one) => one.name)}
        onChange={setOrganization}
      />
    </FormDialog>
  );
}
