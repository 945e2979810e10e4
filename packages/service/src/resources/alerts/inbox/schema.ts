import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links } from '../../../api/fields.ts';
import { notificationNames } from '../notifications/kinds.ts';

const optional = Type.Optional;

const fields = {
  alertId: optional(Id()),
  body: Type.String({ description: 'The content, without secrets.' }),
  created: DateTime(),
  groupId: Id(),
  id: Id(),
  links: Links,
  outcome: Choice(['SENT', 'FAILED', 'KEPT'], { description: '`KEPT`: no delivery channel is configured.' }),
  problem: optional(Type.String({ description: 'Why the delivery failed, or who was not reached.' })),
  reason: Choice(['open', 'update', 'acknowledge', 'close', 'cancel', 'inform']),
  subject: Type.String(),
  to: Type.Array(Type.String(), { description: 'Addresses and numbers, without secrets.' }),
  typeName: Choice(notificationNames),
};

/** A notification as operators see it. */
export const InboxEntry = Type.Object(fields, {
  description: 'A notification, sent or not.',
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
    { description: 'A notification of an alert and its outcome.' },
  ),
  { name: 'sentNotification', self: 'listAlertNotifications', params: () => ({}) },
);
