import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links } from '../../../api/fields.ts';
import { notificationNames } from '../notifications/kinds.ts';

const optional = Type.Optional;

const fields = {
  alertId: optional(Id()),
  body: Type.String({ description: 'What was sent, without secrets.' }),
  created: DateTime(),
  groupId: Id(),
  id: Id(),
  links: Links,
  outcome: Choice(['SENT', 'FAILED', 'KEPT'], { description: '`KEPT`: there is no way out for it.' }),
  problem: optional(Type.String({ description: 'Why it did not arrive.' })),
  reason: Choice(['open', 'update', 'acknowledge', 'close', 'cancel', 'inform']),
  subject: Type.String(),
  to: Type.Array(Type.String(), { description: 'Addresses and numbers, without secrets.' }),
  typeName: Choice(notificationNames),
};

/** One notification as the operator reads it. */
export const InboxEntry = Type.Object(fields, {
  description: 'A notification that left the service, or was to.',
});

/** One notification as members of the project read it: whom else it reached is nobody's business. */
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
    { description: 'That somebody was told of an alert, or was to be.' },
  ),
  { name: 'sentNotification', self: 'listAlertNotifications', params: () => ({}) },
);
