import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useList } from '../../api/resources.ts';
import { Moment } from '../../parts/date.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { type SnapshotDialogProps, useListing } from './restore-dialogs.tsx';
import { snapshotPath } from './snapshots-path.ts';

export function DeleteSnapshot({ path, cluster, snapshot, onClose }: SnapshotDialogProps) {
  const deletion = useChange(onClose);
  return (
    <FormDialog
      title="Delete snapshot"
      action="Delete"
      variant="danger"
      attempt={deletion}
      onSubmit={() => deletion.mutate(apiRequest('DELETE', snapshotPath(path, cluster, snapshot.id)))}
      onClose={onClose}
    >
      <p>
        The snapshot of <Moment at={snapshot.createdAt} /> can then no longer be restored.
      </p>
    </FormDialog>
  );
}

export type ExportBucket = Schemas['ExportBucket'];

/** Writes the documents of a snapshot to a bucket. */
export function ExportDialog({ groupId, path, cluster, snapshot, onClose }: SnapshotDialogProps) {
  const { data, error } = useList(`/groups/${groupId}/backup/exportBuckets`);
  const [chosen, setChosen] = useState<string>();
  const request = useChange(useListing('exports', groupId, cluster, onClose));
  const bucket = data?.find(({ bucketName }) => bucketName === chosen) ?? data?.[0];
  const body = { snapshotId: snapshot.id, exportBucketId: bucket?._id ?? '' };
  return (
    <FormDialog
      title="Export snapshot"
      action="Export"
      isReady={bucket !== undefined}
      attempt={{ isPending: request.isPending, error: request.error ?? error }}
      onSubmit={() => request.mutate(apiRequest('POST', `${path}/backup/exports`, body))}
      onClose={onClose}
    >
      {data?.length === 0 && (
        <p>
          The project has no export bucket: add one under Backups, Exports. It needs a provider access role.
        </p>
      )}
      {bucket && (
        <SelectField
          id="bucket"
          label="Bucket"
          value={bucket.bucketName}
          options={(data ?? []).map(({ bucketName }) => bucketName)}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
}
