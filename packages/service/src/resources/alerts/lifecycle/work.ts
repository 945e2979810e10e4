import type { Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import type { StoredNotification } from '../notifications/read.ts';
import type { AlertRow } from './rows.ts';

/** Why somebody is told; `update`: again, since it lasts. */
export type Reason = 'open' | 'update' | 'acknowledge' | 'close' | 'cancel' | 'inform';

/** What is due by the rhythm of an alert. */
export interface RhythmWork {
  readonly alertId: string;
  readonly notifierId: string;
  /** ISO 8601. */
  readonly due: string;
  readonly reason: 'open' | 'update';
}

/** What is told once, whatever becomes of the configuration meanwhile. */
export interface TellingWork {
  readonly reason: Reason;
  /** As it was then; of an event, one that is nowhere stored. */
  readonly alert: StoredAlert;
  readonly severity: ConfigurationRow['document']['severityOverride'] | null;
  readonly notification: StoredNotification;
  /** The secrets of the configuration, sealed as it has them: base64. */
  readonly sealed?: string;
}

/** An alert as JSON keeps it. */
export type StoredAlert = Omit<AlertRow, 'created' | 'updated' | 'lastNotified' | 'resolved'> & {
  readonly created: string;
  readonly updated: string;
  readonly lastNotified?: string;
  readonly resolved?: string;
};

export const NOTIFY = { kind: 'alert.notify' };
export const TELL = { kind: 'alert.tell' };

/** Asks for the notification of an alert that is due then. It waits for its date, so it has a line of its own. */
export async function awaitDue(tx: Tx, work: RhythmWork): Promise<void> {
  const key = `alert:${work.alertId}:${work.notifierId}:due`;
  await enqueue(tx, NOTIFY, { key, payload: work, runAt: new Date(work.due) });
}

/** Tells everybody whom a configuration names, once. */
export async function tellAll(
  tx: Tx,
  reason: Reason,
  alert: AlertRow,
  { document, secrets }: ConfigurationRow,
): Promise<void> {
  for (const notification of document.notifications) {
    const payload: TellingWork = {
      reason,
      alert: storedAlert(alert),
      severity: document.severityOverride ?? null,
      notification,
      ...(secrets && { sealed: Buffer.from(secrets).toString('base64') }),
    };
    await enqueue(tx, TELL, { key: `alert:${alert.id}:${notification.notifierId}`, payload });
  }
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
