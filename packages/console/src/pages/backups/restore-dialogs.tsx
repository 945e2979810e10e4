import { useState } from 'react';
import { useLocation } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, type ClusterPath, type Snapshot, useChange, useList } from '../../api/resources.ts';
import { Moment } from '../../parts/date.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';

export interface SnapshotDialogProps {
  readonly groupId: string;
  readonly path: ClusterPath;
  readonly cluster: Cluster;
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
}

/**
 * Returns a function that a dialog calls after it has created a job. The function closes the dialog and opens the list
 * of jobs.
 */
export function useListing(
  tab: 'exports' | 'restores',
  groupId: string,
  { name }: Cluster,
  onClose: () => void,
): () => void {
  const [, go] = useLocation();
  return () => {
    onClose();
    go(`/projects/${groupId}/backups/${encodeURIComponent(name)}/${tab}`);
  };
}

/** Restores a snapshot to its own cluster, or to another cluster of the project. */
export function RestoreDialog({ groupId, path, cluster, snapshot, onClose }: SnapshotDialogProps) {
  const [target, setTarget] = useState(cluster.name);
  const restoring = useChange(useListing('restores', groupId, cluster, onClose));
  const restore = () => {
    const body = {
      deliveryType: 'automated',
      snapshotId: snapshot.id,
      targetClusterName: target,
      targetGroupId: groupId,
    };
    restoring.mutate(apiRequest('POST', `${path}/backup/restoreJobs`, body));
  };
  return (
    <FormDialog
      title={`Restore ${cluster.name}`}
      action="Restore"
      variant="danger"
      attempt={restoring}
      onSubmit={restore}
      onClose={onClose}
    >
      <p>
        The data of {target} is replaced by that of <Moment at={snapshot.createdAt} />.
      </p>
      <Target groupId={groupId} value={target} onChange={setTarget} />
    </FormDialog>
  );
}

interface TargetProps {
  readonly groupId: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** A field for the cluster whose data a restore replaces. */
export function Target({ groupId, value, onChange }: TargetProps) {
  const { data = [] } = useList(`/groups/${groupId}/clusters`);
  const names = new Set([value, ...data.map(({ name }) => name)]);
  return (
    <SelectField id="target" label="Into cluster" value={value} options={[...names]} onChange={onChange} />
  );
}

/** Requests an archive of a snapshot. Its link appears in the list of restores. */
export function DownloadDialog({ groupId, path, cluster, snapshot, onClose }: SnapshotDialogProps) {
  const request = useChange(useListing('restores', groupId, cluster, onClose));
  const body = { deliveryType: 'download', snapshotId: snapshot.id };
  return (
    <FormDialog
      title={`Download a snapshot of ${cluster.name}`}
      action="Prepare"
      attempt={request}
      onSubmit={() => request.mutate(apiRequest('POST', `${path}/backup/restoreJobs`, body))}
      onClose={onClose}
    >
      <p>
        The service prepares an archive of the data of <Moment at={snapshot.createdAt} />. Its link appears in
        the list of restores, and is valid for a few hours.
      </p>
    </FormDialog>
  );
}
