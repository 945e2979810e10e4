import { useState } from 'react';
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
      onSubmit={() => deletion.mutate({ method: 'DELETE', path: snapshotPath(path, cluster, snapshot.id) })}
      onClose={onClose}
    >
      <p>
        The snapshot of <Moment at={snapshot.createdAt} /> can then no longer be restored.
      </p>
    </FormDialog>
  );
}

export interface ExportBucket {
  readonly _id: string;
  readonly bucketName: string;
  readonly cloudProvider: string;
}

/** Writes the documents of a snapshot to a bucket. */
export function ExportDialog({ groupId, path, cluster, snapshot, onClose }: SnapshotDialogProps) {
  const { data, error } = useList<ExportBucket>(`/groups/${groupId}/backup/exportBuckets`);
  const [chosen, setChosen] = useState<string>();
  const request = useChange(useListing('exports', groupId, cluster, onClose));
  const bucket = data?.find(({ bucketName }) => bucketName === chosen) ?? data?.[0];
  const body = { snapshotId: snapshot.id, exportBucketId: bucket?._id };
  return (
    <FormDialog
      title="Export snapshot"
      action="Export"
      isReady={bucket !== undefined}
      attempt={{ isPending: request.isPending, error: request.error ?? error }}
      onSubmit={() => request.mutate({ method: 'POST', path: `${path}/backup/exports`, body })}
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
