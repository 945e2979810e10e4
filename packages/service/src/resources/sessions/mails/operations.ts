import { creationOf } from '@portolan/foundation/ids';
import Type from 'typebox';
import { Choice, DateTime, Id } from '../../../api/fields.ts';
import { extension } from '../../services.ts';
import { letterOf } from './letters.ts';
import { pageOfMails } from './rows.ts';

const Mail = Type.Object(
  {
    body: Type.Optional(
      Type.String({
        description:
          'Text of the mail with the link. Absent if the mail was sent, or if the link was used or has expired.',
      }),
    ),
    created: DateTime({ description: 'Time at which the mail was written.' }),
    id: Id(),
    outcome: Choice(['SENT', 'FAILED', 'KEPT'], {
      description: 'Result of the delivery. `KEPT`: only stored, because no mail server is configured.',
    }),
    problem: Type.Optional(Type.String({ description: 'Why the mail was not delivered.' })),
    subject: Type.String(),
    to: Type.String(),
  },
  { description: 'A mail that contains an invitation link, or a link to set a new password.' },
);

export const listMails = extension({
  id: 'listMails',
  summary: 'Lists mails with an invitation link or a link to set a new password, newest first.',
  tag: 'Operator',
  surface: 'operator',
  method: 'GET',
  path: '/mails',
  access: 'operator',
  reply: Mail,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { rows, next } = await pageOfMails(tx, call.page);
      const results = rows.map(async (row) => {
        const { id, recipient: to, subject, outcome, problem } = row;
        const letter = outcome === 'SENT' ? undefined : await letterOf(tx, call.services, row);
        return {
          ...{ created: creationOf(id), id, outcome, subject, to },
          ...(letter === undefined ? {} : { body: letter.text }),
          ...(problem === undefined ? {} : { problem }),
        };
      });
      return { results: await Promise.all(results), next };
    }),
});
