import Type from 'typebox';
import { Id } from '../../../api/fields.ts';
import { extension } from '../../services.ts';
import { requireConfiguration } from '../configurations/rules.ts';
import { hasNotifications, type NotificationRow, pageOfNotifications } from '../delivery/rows.ts';
import { sendTest } from '../lifecycle/changes.ts';
import { requireAlert } from '../lifecycle/rules.ts';
import { isBeingSent } from '../lifecycle/work.ts';
import { InboxEntry, SentNotification } from './schema.ts';

function presentSent({ id, created, kind, reason, delivery }: NotificationRow) {
  const { outcome, problem, subject } = delivery;
  return {
    created,
    id,
    outcome,
    reason,
    subject,
    typeName: kind,
    ...(problem === undefined ? {} : { problem }),
  };
}

function presentEntry(row: NotificationRow) {
  const { alertId, groupId, delivery } = row;
  const { body, to } = delivery;
  return { ...presentSent(row), body, groupId, to: [...to], ...(alertId === undefined ? {} : { alertId }) };
}

export const listInbox = extension({
  id: 'listNotifications',
  summary: 'Lists all notifications of the service, newest first, including those that were not sent.',
  tag: 'Operator',
  surface: 'operator',
  method: 'GET',
  path: '/notifications',
  access: 'operator',
  query: Type.Object({
    groupId: Type.Optional(Id({ description: 'Returns only notifications of this project.' })),
  }),
  reply: InboxEntry,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { rows, next } = await pageOfNotifications(tx, call.query, call.page);
      return { results: rows.map(presentEntry), next };
    }),
});

export const listOfAlert = extension({
  id: 'listAlertNotifications',
  summary:
    'Lists the notifications about an alert or an event, with the results of their delivery, newest first.',
  tag: 'Alerts',
  method: 'GET',
  path: '/groups/{groupId}/alerts/{alertId}/notifications',
  access: 'Project Read Only',
  reply: SentNotification,
  list: 'page',
  status: 200,
  reachedFrom: { alert: 'notifications' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, alertId } = call.params;
      const { rows, next } = await pageOfNotifications(tx, { groupId, alertId }, call.page);
      // The id of a one-time event is valid, too: such an event has notifications, but no alert. Its notifications may
      // still be waiting to be sent.
      const has = await hasNotifications(tx, { groupId, alertId });
      if (!has && !(await isBeingSent(tx, { groupId, alertId }))) await requireAlert(tx, call.params);
      return { results: rows.map(presentSent), next };
    }),
});

export const testConfiguration = extension({
  id: 'testAlertConfiguration',
  summary: 'Sends a test notification to all recipients of an alert configuration.',
  tag: 'Alert Configurations',
  method: 'POST',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}/test',
  access: 'Project Owner',
  rateLimited: true,
  status: 202,
  handler: (call) => call.write(async (tx) => sendTest(tx, await requireConfiguration(tx, call.params))),
});
