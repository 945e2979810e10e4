import { Button, Flex, FlexItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, type ClusterPath, type Snapshot, useChange, useList } from '../../api/resources.ts';
import { useProjectRights } from '../../api/rights.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Problem } from '../../parts/problem.tsx';
import { MissingRole } from '../../parts/restricted.tsx';
import { sizeText } from '../../parts/size.ts';
import { StateLabel } from '../../parts/state-label.tsx';
import { DownloadDialog, RestoreDialog } from './restore-dialogs.tsx';
import { DeleteSnapshot, ExportDialog } from './snapshot-dialogs.tsx';
import { snapshotsPath } from './snapshots-path.ts';
import { TimeLine } from './time-line.tsx';

interface SnapshotsProps {
  readonly groupId: string;
  readonly path: ClusterPath;
  readonly cluster: Cluster;
}

type Dialog = 'delete' | 'download' | 'export' | 'restore';
type Open = (dialog: Dialog, snapshot: Snapshot) => void;

const dialogs = {
  delete: DeleteSnapshot,
  download: DownloadDialog,
  export: ExportDialog,
  restore: RestoreDialog,
} as const;

/** The snapshots of a cluster, with buttons to take, restore, download, export and delete them. */
export function Snapshots({ groupId, path, cluster }: SnapshotsProps) {
  const { data, error } = useList(`${snapshotsPath(path, cluster)}`);
  const [opened, setOpened] = useState<{ readonly dialog: Dialog; readonly snapshot: Snapshot }>();
  const taking = useChange();
  const may = useProjectRights(groupId);
  const isManager = may('GROUP_BACKUP_MANAGER');
  const take = () => {
    const body = { description: 'Taken in the console' };
    taking.mutate(apiRequest('POST', `${path}/backup/snapshots`, body));
  };
  const OpenDialog = opened && dialogs[opened.dialog];
  return (
    <>
      <Flex>
        <FlexItem className="grow">
          <Title headingLevel="h2">Snapshots</Title>
        </FlexItem>
        {isManager && (
          <Button variant="secondary" onClick={take} isLoading={taking.isPending}>
            Take snapshot
          </Button>
        )}
      </Flex>
      <Problem error={taking.error} />
      <TimeLine snapshots={data ?? []} />
      <MissingRole may={may} roles={['GROUP_BACKUP_MANAGER']} to="take, restore and delete snapshots" />
      <DataTable
        label="Snapshots"
        columns={columnsOf(isManager, (dialog, snapshot) => setOpened({ dialog, snapshot }))}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Take a snapshot, or let the schedule take them."
      />
      {OpenDialog && (
        <OpenDialog
          groupId={groupId}
          path={path}
          cluster={cluster}
          snapshot={opened.snapshot}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

const columnsOf = (isManager: boolean, open: Open): readonly Column<Snapshot>[] => [
  { title: 'Taken', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Type', cell: ({ snapshotType }) => snapshotType },
  { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
  {
    title: 'Size',
    cell: ({ storageSizeBytes }) => (storageSizeBytes === undefined ? '' : sizeText(storageSizeBytes)),
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    title: 'Actions',
    cell: (snapshot) =>
      isManager &&
      actions.map(([dialog, name]) => (
        <Button
          key={dialog}
          variant="link"
          className="beside"
          isInline
          isDanger={dialog === 'delete'}
          isDisabled={snapshot.status !== 'completed'}
          onClick={() => open(dialog, snapshot)}
        >
          {name}
        </Button>
      )),
  },
];

const actions: readonly (readonly [Dialog, string])[] = [
  ['restore', 'Restore…'],
  ['download', 'Download…'],
  ['export', 'Export…'],
  ['delete', 'Delete…'],
];
