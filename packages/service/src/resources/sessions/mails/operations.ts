import Type from 'typebox';
import { Choice, DateTime, Id } from '../../../api/fields.ts';
import { extension } from '../../services.ts';
import { letterOf } from './letters.ts';
import { pageOfMails } from './rows.ts';

const Mail = Type.Object(
  {
    body: Type.Optional(
      Type.String({
        description: 'Text with the link; absent if the mail was sent, or the link was used or has expired.',
      }),
    ),
    created: DateTime({ description: 'Time of the mail by the clock of the machine, not by service time.' }),
    id: Id(),
    outcome: Choice(['SENT', 'FAILED', 'KEPT'], { description: '`KEPT`: no mail server is configured.' }),
    problem: Type.Optional(Type.String({ description: 'Why the mail was not delivered.' })),
    subject: Type.String(),
    to: Type.String(),
  },
  { description: 'A mail with an invitation or a link for a new password.' },
);

export const listMails = extension({
  id: 'listMails',
  summary: 'Lists invitations and links for new passwords that were mailed to people, newest first.',
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
        const { id, recipient: to, subject, outcome, problem, created } = row;
        const letter = outcome === 'SENT' ? undefined : await letterOf(tx, call.services, row);
        return {
          ...{ created: new Date(created), id, outcome, subject, to },
          ...(letter === undefined ? {} : { body: letter.text }),
          ...(problem === undefined ? {} : { problem }),
        };
      });
      return { results: await Promise.all(results), next };
    }),
});
