import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links } from '../../../api/fields.ts';
import { notificationNames } from '../notifications/kinds.ts';

const optional = Type.Optional;

const fields = {
  alertId: optional(Id()),
  body: Type.String({ description: 'Content of the notification, with secrets masked.' }),
  created: DateTime(),
  groupId: Id(),
  id: Id(),
  links: Links,
  outcome: Choice(['SENT', 'FAILED', 'KEPT'], {
    description:
      'Result of the delivery. `KEPT`: the notification was not sent, because no mail server or gateway is configured.',
  }),
  problem: optional(
    Type.String({ description: 'Why the delivery failed, or which recipients got no notification.' }),
  ),
  reason: Choice(['open', 'update', 'acknowledge', 'close', 'cancel', 'inform'], {
    description:
      'Why the notification was sent. `update`: it repeats an earlier notification of an open alert. `inform`: it reports a single event, without an alert.',
  }),
  subject: Type.String({ description: 'Subject line of the notification.' }),
  to: Type.Array(Type.String(), {
    description: 'Addresses, telephone numbers and URLs of the recipients, with secrets masked.',
  }),
  typeName: Choice(notificationNames, { description: 'Kind of the recipient, such as `EMAIL` or `SLACK`.' }),
};

/** A notification as the operator sees it. */
export const InboxEntry = Type.Object(fields, {
  description: 'A notification with its content, recipients and the result of its delivery.',
});

/** A notification as project members see it: without content and recipients. */
export const SentNotification = entity(
  Type.Object(
    {
      created: fields.created,
      id: fields.id,
      links: Links,
      outcome: fields.outcome,
      problem: fields.problem,
      reason: fields.reason,
      subject: fields.subject,
      typeName: fields.typeName,
    },
    { description: 'A notification about an alert, and the result of its delivery.' },
  ),
  { name: 'sentNotification', self: 'listAlertNotifications', params: () => ({}) },
);
