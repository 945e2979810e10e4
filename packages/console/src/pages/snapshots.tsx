import { Button, Flex, FlexItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { type Cluster, type Snapshot, useChange, useList } from '../api/resources.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateLabel } from '../parts/state-label.tsx';

interface SnapshotsProps {
  readonly groupId: string;
  readonly path: string;
  readonly cluster: Cluster;
}

const RETENTION_DAYS = 7;
const MB = 1_000_000;

/** The snapshots of a cluster: takes one, or restores the cluster to one. */
export function Snapshots({ groupId, path, cluster }: SnapshotsProps) {
  const { data, error } = useList<Snapshot>(`${path}/backup/snapshots?itemsPerPage=100`);
  const [restored, setRestored] = useState<Snapshot>();
  const taking = useChange();
  const take = () => {
    const body = { description: 'Taken in the console', retentionInDays: RETENTION_DAYS };
    taking.mutate({ method: 'POST', path: `${path}/backup/snapshots`, body });
  };
  return (
    <>
      <Flex>
        <FlexItem className="grow">
          <Title headingLevel="h2">Snapshots</Title>
        </FlexItem>
        <Button variant="secondary" onClick={take} isLoading={taking.isPending}>
          Take snapshot
        </Button>
      </Flex>
      <Problem error={taking.error} />
      <DataTable
        label="Snapshots"
        columns={columnsOf(setRestored)}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Take a snapshot, or let the schedule take them."
      />
      {restored && (
        <RestoreDialog
          groupId={groupId}
          path={path}
          cluster={cluster}
          snapshot={restored}
          onClose={() => setRestored(undefined)}
        />
      )}
    </>
  );
}

const columnsOf = (restore: (snapshot: Snapshot) => void): readonly Column<Snapshot>[] => [
  { title: 'Taken', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Type', cell: ({ snapshotType }) => snapshotType },
  { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
  {
    title: 'Size',
    cell: ({ storageSizeBytes }) =>
      storageSizeBytes === undefined ? '' : `${(storageSizeBytes / MB).toFixed(1)} MB`,
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    title: 'Restore',
    cell: (snapshot) => (
      <Button
        variant="link"
        isInline
        isDisabled={snapshot.status !== 'completed'}
        onClick={() => restore(snapshot)}
      >
        Restore…
      </Button>
    ),
  },
];

interface RestoreDialogProps extends SnapshotsProps {
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
}

function RestoreDialog({ groupId, path, cluster, snapshot, onClose }: RestoreDialogProps) {
  const restoring = useChange(onClose);
  const restore = () => {
    const body = {
      deliveryType: 'automated',
      snapshotId: snapshot.id,
      targetClusterName: cluster.name,
      targetGroupId: groupId,
    };
    restoring.mutate({ method: 'POST', path: `${path}/backup/restoreJobs`, body });
  };
  return (
    <FormDialog
      title={`Restore ${cluster.name}`}
      action="Restore"
      variant="danger"
      isBusy={restoring.isPending}
      error={restoring.error}
      onSubmit={restore}
      onClose={onClose}
    >
      <p>
        The data of {cluster.name} is replaced by that of <Moment at={snapshot.createdAt} />.
      </p>
    </FormDialog>
  );
}
