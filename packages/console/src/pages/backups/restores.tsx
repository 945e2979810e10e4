import { Button } from '@patternfly/react-core';
import { useChange, useList } from '../../api/resources.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Problem } from '../../parts/problem.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { BackupsProps } from './backups.tsx';

interface RestoreJob {
  readonly id: string;
  readonly deliveryType: string;
  readonly targetClusterName?: string;
  /** When the restored snapshot was taken. */
  readonly timestamp?: string;
  /** The chosen point in time. */
  readonly desiredTimestamp?: { readonly date: string | null };
  readonly finishedAt?: string;
  readonly expiresAt?: string;
  readonly cancelled: boolean;
  readonly expired: boolean;
  readonly failed: boolean;
  readonly deliveryUrl?: readonly string[];
  readonly result?: { readonly identical: boolean; readonly documents?: number; readonly problem?: string };
}

function stateOf({ cancelled, expired, failed, finishedAt }: RestoreJob): string {
  if (cancelled) return 'CANCELLED';
  if (failed) return 'FAILED';
  if (expired) return 'EXPIRED';
  return finishedAt === undefined ? 'RUNNING' : 'completed';
}

/** Restores and downloads, newest first, with the result of their verification. */
export function Restores({ path }: BackupsProps) {
  const jobs = `${path}/backup/restoreJobs`;
  const { data, error } = useList<RestoreJob>(jobs);
  const cancel = useChange();
  return (
    <>
      <Problem error={cancel.error} />
      <DataTable
        label="Restores"
        columns={columnsOf(({ id }) => cancel.mutate({ method: 'DELETE', path: `${jobs}/${id}` }))}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Restore or download a snapshot, or restore a point in time."
      />
    </>
  );
}

const columnsOf = (cancel: (job: RestoreJob) => void): readonly Column<RestoreJob>[] => [
  { title: 'Kind', cell: ({ deliveryType }) => deliveryType },
  { title: 'Data of', cell: (job) => <Moment at={job.desiredTimestamp?.date ?? job.timestamp} /> },
  { title: 'Into', cell: ({ targetClusterName }) => targetClusterName },
  { title: 'State', cell: (job) => <StateLabel state={stateOf(job)} /> },
  { title: 'Ended', cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
  { title: 'Verification', cell: ({ result }) => result && verification(result) },
  {
    title: 'Action',
    cell: (job) => (
      <>
        {job.deliveryUrl?.map((url, index) => (
          <a key={url} href={url} className="beside">
            Download {index + 1}
          </a>
        ))}
        {job.deliveryType === 'download' && stateOf(job) === 'completed' && (
          <Button variant="link" isInline onClick={() => cancel(job)}>
            Cancel
          </Button>
        )}
      </>
    ),
  },
];

function verification({ identical, documents, problem }: NonNullable<RestoreJob['result']>): string {
  return identical ? `identical, ${documents ?? 0} documents` : (problem ?? 'not identical');
}
