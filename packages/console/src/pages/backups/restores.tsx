import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type ClusterPath, useList } from '../../api/resources.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Remove } from '../../parts/remove.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { BackupsProps } from './backups.tsx';

type RestoreJob = Schemas['RestoreJob'];

function stateOf({ cancelled, expired, failed, finishedAt }: RestoreJob): string {
  if (cancelled) return 'CANCELLED';
  if (failed) return 'FAILED';
  if (expired) return 'EXPIRED';
  return finishedAt === undefined ? 'RUNNING' : 'completed';
}

/** Restores and downloads, newest first, with the result of their verification. */
export function Restores({ path }: BackupsProps) {
  const jobs = `${path}/backup/restoreJobs` as const;
  const { data, error } = useList(jobs);
  return (
    <DataTable
      label="Restores"
      columns={columnsOf(jobs)}
      rows={data}
      keyOf={({ id }) => id}
      error={error}
      empty="Restore or download a snapshot, or restore a point in time."
    />
  );
}

const columnsOf = (jobs: `${ClusterPath}/backup/restoreJobs`): readonly Column<RestoreJob>[] => [
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
          <Remove
            name="download"
            action="Cancel"
            dismissal="Keep download"
            change={apiRequest('DELETE', `${jobs}/${job.id}`)}
            consequence="The download links then no longer work."
          />
        )}
      </>
    ),
  },
];

function verification({ identical, documents, problem }: NonNullable<RestoreJob['result']>): string {
  return identical ? `identical, ${documents ?? 0} documents` : (problem ?? 'not identical');
}
