import { Stack, StackItem, Title } from '@patternfly/react-core';
import { useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { BackupsProps } from './backups.tsx';
import type { ExportBucket } from './snapshot-dialogs.tsx';

interface ExportJob {
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt?: string;
  readonly prefix?: string;
  readonly state: string;
  readonly stateReason?: { readonly message: string };
}

/** Exports of snapshots, and the buckets that receive them. */
export function Exports({ groupId, path }: BackupsProps) {
  const jobs = useList<ExportJob>(`${path}/backup/exports?itemsPerPage=100`);
  const buckets = useList<ExportBucket>(`/groups/${groupId}/backup/exportBuckets`);
  return (
    <Stack hasGutter>
      <StackItem>
        <Title headingLevel="h2">Exports</Title>
        <DataTable<ExportJob>
          label="Exports"
          columns={[
            { title: 'Requested', cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { title: 'State', cell: ({ state }) => <StateLabel state={state} /> },
            { title: 'Ended', cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
            { title: 'Files begin with', cell: ({ prefix }) => prefix },
            { title: 'Reason', cell: ({ stateReason }) => stateReason?.message },
          ]}
          rows={jobs.data}
          keyOf={({ id }) => id}
          error={jobs.error}
          empty="Export a snapshot under Snapshots."
        />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2">Export buckets</Title>
        <DataTable<ExportBucket>
          label="Export buckets"
          columns={[
            { title: 'Bucket', cell: ({ bucketName }) => bucketName },
            { title: 'Provider', cell: ({ cloudProvider }) => cloudProvider },
          ]}
          rows={buckets.data}
          keyOf={({ _id }) => _id}
          error={buckets.error}
          empty="Add a bucket with the operation createExportBucket; it needs a provider access role."
        />
      </StackItem>
    </Stack>
  );
}
