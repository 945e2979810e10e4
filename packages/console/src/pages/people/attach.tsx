import { useState } from 'react';
import type { ChangeRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RolesField } from '../../parts/roles-field.tsx';
import { SelectField } from '../../parts/select-field.tsx';

interface AttachProps {
  readonly title: string;
  readonly label: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly changeTo: (id: string, roles: readonly string[]) => ChangeRequest;
  readonly onClose: () => void;
}

/** Grants roles on a project to an API key or service account of the organization. */
export function Attach({ title, label, roles, options, changeTo, onClose }: AttachProps) {
  const [chosen, setChosen] = useState<string>();
  const [names, setNames] = useState<readonly string[]>(['GROUP_READ_ONLY']);
  const id = chosen ?? options[0]?.[0];
  const change = useChange(onClose);
  return (
    <FormDialog
      title={title}
      action="Add"
      isReady={id !== undefined && names.length > 0}
      attempt={change}
      onSubmit={() => id !== undefined && change.mutate(changeTo(id, names))}
      onClose={onClose}
    >
      <SelectField
        id="attached"
        label={label}
        value={id ?? ''}
        options={options}
        onChange={setChosen}
        help={
          options.length === 0 ? 'All options are already in the project. Create a new one on this page.' : ''
        }
      />
      <RolesField roles={roles} value={names} onChange={setNames} error={change.error} />
    </FormDialog>
  );
}
