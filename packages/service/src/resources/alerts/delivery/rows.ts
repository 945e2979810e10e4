import type { Selectable } from 'kysely';
import { codec, fetchPage, type PageRange, type ReadTx, type Tx } from '../../../store/index.ts';
import type { NotificationName } from '../notifications/kinds.ts';
import type { Delivery, Outcome } from './outcome.ts';

interface Tables {
  notification: {
    id: string;
    group_id: string;
    alert_id: string | null;
    created: number;
    kind: string;
    reason: string;
    outcome: string;
    document: string;
  };
}

/** Why a notification is sent. An `update` is sent repeatedly while the alert stays open. */
export type Reason = 'open' | 'update' | 'acknowledge' | 'close' | 'cancel' | 'inform';

/** A notification that was sent or has failed. */
export interface NotificationRow {
  readonly id: string;
  readonly groupId: string;
  readonly alertId: string | undefined;
  readonly created: Date;
  readonly kind: NotificationName;
  readonly reason: Reason;
  readonly delivery: Delivery;
}

const document = codec.json<Omit<Delivery, 'outcome'>>();

function readNotificationRow(row: Selectable<Tables['notification']>): NotificationRow {
  return {
    id: row.id,
    groupId: row.group_id,
    alertId: row.alert_id ?? undefined,
    created: codec.date.read(row.created),
    kind: row.kind as NotificationName,
    reason: row.reason as Reason,
    delivery: { ...document.read(row.document), outcome: row.outcome as Outcome },
  };
}

export async function insertNotification(tx: Tx, row: NotificationRow): Promise<void> {
  const { outcome, ...rest } = row.delivery;
  await tx
    .from<Tables>()
    .insertInto('notification')
    .values({
      id: row.id,
      group_id: row.groupId,
      alert_id: row.alertId ?? null,
      created: codec.date.write(row.created),
      kind: row.kind,
      reason: row.reason,
      outcome,
      document: document.write(rest),
    })
    .execute();
}

const notifications = (tx: ReadTx) => tx.from<Tables>().selectFrom('notification');

/** Returns the ids and projects of up to `most` notifications from before a date. */
export async function notificationsBefore(tx: ReadTx, before: Date, most: number) {
  const old = notifications(tx).where('created', '<', codec.date.write(before)).orderBy('created');
  const rows = await old.select(['id', 'group_id']).limit(most).execute();
  return rows.map((row) => ({ id: row.id, groupId: row.group_id }));
}

/** Returns up to `most` notifications of a project, except the newest `kept`. */
export async function notificationsBeyond(tx: ReadTx, groupId: string, kept: number, most: number) {
  const newest = notifications(tx).where('group_id', '=', groupId).orderBy('id', 'desc');
  const rows = await newest.select('id').limit(most).offset(kept).execute();
  return rows.map(({ id }) => ({ id, groupId }));
}

/** Returns the first project after `groupId` that has notifications. */
export async function projectWithNotifications(tx: ReadTx, groupId: string): Promise<string | undefined> {
  const later = notifications(tx).where('group_id', '>', groupId).orderBy('group_id');
  return (await later.select('group_id').limit(1).executeTakeFirst())?.group_id;
}

export async function deleteNotifications(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.from<Tables>().deleteFrom('notification').where('id', 'in', ids).execute();
}

/** Whether a project has any notifications of an alert. */
export async function hasNotifications(
  tx: ReadTx,
  { groupId, alertId }: { readonly groupId: string; readonly alertId: string },
): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('notification').select('id').where('alert_id', '=', alertId);
  return (await query.where('group_id', '=', groupId).executeTakeFirst()) !== undefined;
}

/** Returns the notifications of an alert, of a project, or of all projects; newest first. */
export async function pageOfNotifications(
  tx: ReadTx,
  of: { readonly alertId?: string | undefined; readonly groupId?: string | undefined },
  page: PageRange,
) {
  let query = tx.from<Tables>().selectFrom('notification').selectAll();
  if (of.alertId !== undefined) query = query.where('alert_id', '=', of.alertId);
  if (of.groupId !== undefined) query = query.where('group_id', '=', of.groupId);
  const { rows, next } = await fetchPage(query, 'id', page, 'desc');
  return { rows: rows.map(readNotificationRow), next };
}
