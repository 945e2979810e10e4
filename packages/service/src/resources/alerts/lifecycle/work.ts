import type { ReadTx, Tx } from '../../../store/index.ts';
import { enqueue, openPayload } from '../../../tasks/index.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import type { Reason } from '../delivery/rows.ts';
import type { AlertRow } from '../model/rows.ts';
import type { StoredNotification } from '../notifications/read.ts';

/** A notification that is due according to the schedule of its alert. */
export interface ScheduledNotification {
  readonly alertId: string;
  readonly notifierId: string;
  /** The due time in ISO 8601. */
  readonly due: string;
  readonly reason: 'open' | 'update';
}

/** A notification that is sent once. A later change of the configuration does not affect it. */
export interface OneTimeNotification {
  readonly reason: Reason;
  /** The alert at the time of the event. The alert of a one-time event is stored only here. */
  readonly alert: StoredAlert;
  readonly severity: ConfigurationRow['document']['severityOverride'] | null;
  readonly notification: StoredNotification;
  /** The encrypted secrets of the configuration in base64. */
  readonly sealed?: string;
}

/** An alert as stored in JSON. */
export type StoredAlert = Omit<AlertRow, 'created' | 'updated' | 'lastNotified' | 'resolved'> & {
  readonly created: string;
  readonly updated: string;
  readonly lastNotified?: string;
  readonly resolved?: string;
};

export const NOTIFY = { kind: 'alert.notify' };
export const NOTIFY_ONCE = { kind: 'alert.tell' };

/**
 * Enqueues a notification of an alert of the project `owner` for its due time. Each notification has its own queue, so
 * that it does not delay others.
 */
export async function scheduleNotification(
  tx: Tx,
  owner: string,
  work: ScheduledNotification,
): Promise<void> {
  const key = `alert:${work.alertId}:${work.notifierId}:due`;
  await enqueue(tx, NOTIFY, { key, owner, payload: work, runAt: new Date(work.due) });
}

/** Enqueues all notifications of a configuration, to be sent once. */
export async function notifyAll(
  tx: Tx,
  reason: Reason,
  alert: AlertRow,
  { document, secrets }: ConfigurationRow,
): Promise<void> {
  for (const notification of document.notifications) {
    const payload: OneTimeNotification = {
      reason,
      alert: storedAlert(alert),
      severity: document.severityOverride ?? null,
      notification,
      ...(secrets && { sealed: Buffer.from(secrets).toString('base64') }),
    };
    const key = `alert:${alert.id}:${notification.notifierId}`;
    await enqueue(tx, NOTIFY_ONCE, { key, owner: alert.groupId, payload });
  }
}

/** Whether a one-time notification of this alert of the project is waiting or being sent. */
export async function isBeingSent(
  tx: ReadTx,
  { groupId, alertId }: { readonly groupId: string; readonly alertId: string },
): Promise<boolean> {
  const sent = await openPayload<OneTimeNotification>(tx, NOTIFY_ONCE.kind, `alert:${alertId}:`);
  return sent?.alert.groupId === groupId;
}

function storedAlert({ created, updated, lastNotified, resolved, ...row }: AlertRow): StoredAlert {
  return {
    ...row,
    created: created.toISOString(),
    updated: updated.toISOString(),
    ...(lastNotified && { lastNotified: lastNotified.toISOString() }),
    ...(resolved && { resolved: resolved.toISOString() }),
  };
}

export function restoredAlert({ created, updated, lastNotified, resolved, ...row }: StoredAlert): AlertRow {
  const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    ...row,
    created: new Date(created),
    updated: new Date(updated),
    lastNotified: dateOf(lastNotified),
    resolved: dateOf(resolved),
  };
}
