import { type Counter, counter, countOf, type ReadTx } from '../../../store/index.ts';
import { type AlertRow, alertById } from '../model/rows.ts';
import { type AlertStatus, alertStatuses } from '../model/schema.ts';
import { alertFaults } from './faults.ts';

/** Counters of the alerts of a project by status. */
export const alertCounts: Readonly<Record<AlertStatus, Counter>> = {
  TRACKING: counter('group', 'alerts-tracking'),
  OPEN: counter('group', 'alerts-open'),
  CLOSED: counter('group', 'alerts-closed'),
};

/** Returns the number of alerts of a project with the given status, or with any status. */
export async function countOfAlerts(
  tx: ReadTx,
  groupId: string,
  status: AlertStatus | undefined,
): Promise<number> {
  const counted = status === undefined ? alertStatuses : [status];
  const counts = await Promise.all(counted.map((each) => countOf(tx, alertCounts[each], groupId)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the alert that a path names. Throws ALERT_NOT_FOUND. */
export async function requireAlert(
  tx: ReadTx,
  { groupId, alertId }: { readonly groupId: string; readonly alertId: string },
): Promise<AlertRow> {
  const row = await alertById(tx, alertId);
  if (row?.groupId !== groupId) throw alertFaults.ALERT_NOT_FOUND(alertId, groupId);
  return row;
}

/**
 * Whether the alert is acknowledged at `now`. While it is, its notification is not repeated. Its recipients
 * are still notified when it ends.
 */
export function isAcknowledged({ document }: AlertRow, now: Date): boolean {
  return document.acknowledged !== undefined && new Date(document.acknowledged.until) > now;
}
