import { addCount, type Tx } from '../../../store/index.ts';
import { every, recurring, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { deleteNotificationsBefore } from '../delivery/rows.ts';
import { deleteClosedBefore } from '../model/rows.ts';
import { alertCounts } from './rules.ts';

const DAY_MS = 86_400_000;
/** How long the service keeps a closed alert, and a notification that it has sent, in days of service time. */
export const KEPT_DAYS = 90;
/**
 * Number of rows that are deleted in one transaction. It is small enough to delay other requests by a few milliseconds
 * at most.
 */
const BATCH = 500;

/** Deletes alerts that were closed, and notifications that were sent, more than `KEPT_DAYS` ago. */
export const deleteOld: TaskKind<Readonly<Record<string, never>>, Services> = {
  kind: 'alerts.forget',
  steps: [
    {
      name: 'forget',
      async run({ services, store, signal }) {
        const before = new Date(services.clock.now().getTime() - KEPT_DAYS * DAY_MS);
        for (const deleteBatch of [deleteNotificationsBefore, deleteAlertsBefore]) {
          let gone = BATCH;
          while (gone === BATCH && !signal.aborted)
            gone = await store.write((tx) => deleteBatch(tx, before, BATCH));
        }
      },
    },
  ],
};

export const deleteDaily = recurring({
  name: 'alerts.forget',
  kind: deleteOld,
  payload: {},
  next: every(DAY_MS),
});

/** Deletes up to `most` alerts that were closed before a date. Returns the number of deleted alerts. */
async function deleteAlertsBefore(tx: Tx, before: Date, most: number): Promise<number> {
  const groups = await deleteClosedBefore(tx, before, most);
  for (const [groupId, own] of Map.groupBy(groups, (groupId) => groupId))
    await addCount(tx, alertCounts.CLOSED, groupId, -own.length);
  return groups.length;
}
