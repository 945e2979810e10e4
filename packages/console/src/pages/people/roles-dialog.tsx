import { useState } from 'react';
import type { ChangeRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RolesField } from '../../parts/roles-field.tsx';

interface RolesDialogProps {
  /** The name of the person, team, key or account that has the roles. */
  readonly name: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly held: readonly string[];
  readonly changeTo: (roles: readonly string[]) => ChangeRequest;
  readonly onClose: () => void;
}

/** Replaces the roles of a person, team, key or account. */
export function RolesDialog({ name, roles, held, changeTo, onClose }: RolesDialogProps) {
  const [chosen, setChosen] = useState(held);
  const change = useChange(onClose);
  return (
    <FormDialog
      title={`Roles of ${name}`}
      action="Save"
      isReady={chosen.length > 0}
      attempt={change}
      onSubmit={() => change.mutate(changeTo(chosen))}
      onClose={onClose}
    >
      <RolesField roles={roles} value={chosen} onChange={setChosen} error={change.error} />
    </FormDialog>
  );
}
