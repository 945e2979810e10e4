import { useDocument } from '../../api/resources.ts';
import { Moment } from '../../parts/date.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { BackupsProps } from './backups.tsx';
import { ScheduleForm } from './schedule-form.tsx';

export interface PolicyItem {
  readonly id?: string;
  readonly frequencyType: string;
  readonly frequencyInterval: number;
  readonly retentionUnit: string;
  readonly retentionValue: number;
}

export interface Schedule {
  readonly nextSnapshot?: string;
  readonly policies?: readonly { readonly id: string; readonly policyItems: readonly PolicyItem[] }[];
  readonly referenceHourOfDay?: number;
  readonly referenceMinuteOfHour?: number;
  readonly restoreWindowDays?: number;
}

/** When snapshots are taken, and how long they are kept. */
export function ScheduleTab({ path, cluster }: BackupsProps) {
  const { data, error } = useDocument<Schedule>(`${path}/backup/schedule`);
  if (!cluster.providerBackupEnabled)
    return <p>The cluster has no scheduled snapshots. Turn them on on the page of the cluster.</p>;
  return (
    <>
      <Problem error={error} />
      {data && (
        <>
          <p>
            Next snapshot: <Moment at={data.nextSnapshot} />
          </p>
          <ScheduleForm path={path} schedule={data} />
        </>
      )}
    </>
  );
}
