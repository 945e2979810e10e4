import type { Schemas } from '../../api/operations.ts';
import { useDocument } from '../../api/resources.ts';
import { Moment } from '../../parts/date.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Problem } from '../../parts/problem.tsx';
import { MissingRole } from '../../parts/restricted.tsx';
import type { BackupsProps } from './backups.tsx';
import { ScheduleForm } from './schedule-form.tsx';

export type Schedule = Schemas['BackupSchedule'];
export type PolicyItem = NonNullable<NonNullable<Schedule['policies']>[number]['policyItems']>[number];

/** Describes an item of a schedule or policy in words. */
export const itemText = ({ frequencyType, frequencyInterval, retentionValue, retentionUnit }: PolicyItem) =>
  `${frequencyType} (${frequencyInterval}), kept for ${retentionValue} ${retentionUnit}`;

function ScheduleFacts({ schedule }: { readonly schedule: Schedule }) {
  const { policies, referenceHourOfDay = 0, referenceMinuteOfHour = 0, restoreWindowDays } = schedule;
  const minute = String(referenceMinuteOfHour).padStart(2, '0');
  return (
    <Facts
      facts={[
        ['Items', policies?.[0]?.policyItems?.map(itemText).join('; ')],
        ['Time', `${referenceHourOfDay}:${minute} UTC`],
        ['Restore window', restoreWindowDays === undefined ? undefined : `${restoreWindowDays} days`],
      ]}
    />
  );
}

/** When snapshots are taken, and how long they are kept. */
export function ScheduleTab({ path, cluster, may }: BackupsProps) {
  const { data, error } = useDocument(`${path}/backup/schedule`);
  if (!cluster.providerBackupEnabled)
    return (
      <p>The cluster has no scheduled snapshots. Turn on scheduled snapshots on the page of the cluster.</p>
    );
  return (
    <>
      <Problem error={error} />
      {data && (
        <>
          <p>
            Next snapshot: <Moment at={data.nextSnapshot} />
          </p>
          <MissingRole may={may} roles={['GROUP_OWNER']} to="change the schedule" />
          {may('GROUP_OWNER') && <ScheduleForm path={path} schedule={data} />}
          {may.isKnown && !may('GROUP_OWNER') && <ScheduleFacts schedule={data} />}
        </>
      )}
    </>
  );
}
