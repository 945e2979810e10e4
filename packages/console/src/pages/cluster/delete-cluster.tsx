import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type ClusterPath, useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';

interface DeleteClusterProps {
  readonly path: ClusterPath;
  readonly name: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a cluster once the person has typed its name. */
export function DeleteCluster({ path, name, onDeleted, onClose }: DeleteClusterProps) {
  const [typed, setTyped] = useState('');
  const deletion = useChange(onDeleted);
  return (
    <FormDialog
      title={`Delete ${name}`}
      action="Delete"
      variant="danger"
      isReady={typed === name}
      attempt={deletion}
      onSubmit={() => deletion.mutate(apiRequest('DELETE', path))}
      onClose={onClose}
    >
      <p>This deletes the cluster, its data and its snapshots. You cannot undo this.</p>
      <TextField id="typed" label={`Type ${name} to confirm`} value={typed} onChange={setTyped} isRequired />
    </FormDialog>
  );
}
