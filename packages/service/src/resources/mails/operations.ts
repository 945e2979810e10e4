import { creationOf } from '@portolan/foundation/ids';
import Type from 'typebox';
import { Choice, DateTime, Id } from '../../api/fields.ts';
import type { ReadTx } from '../../store/index.ts';
import { extension, type Services } from '../services.ts';
import { mailTextOf } from './mail-text.ts';
import { type MailRow, pageOfMails } from './rows.ts';

const Mail = Type.Object(
  {
    body: Type.Optional(
      Type.String({
        description: 'Text of the mail. Absent if the mail was sent, or if its link was used or has expired.',
      }),
    ),
    created: DateTime({ description: 'Time at which the mail was written.' }),
    id: Id(),
    outcome: Choice(['SENT', 'FAILED', 'KEPT'], {
      description:
        'Result of the delivery. `KEPT`: the mail was not sent, because no mail server is configured.',
    }),
    problem: Type.Optional(Type.String({ description: 'Why the mail was not delivered.' })),
    subject: Type.String(),
    to: Type.String(),
  },
  {
    description:
      'A mail to a person: an invitation link, a link to set a new password, or a notice about a secret.',
  },
);

export const listMails = extension({
  id: 'listMails',
  summary: 'Lists mails to persons: invitations, links to set a new password, and notices; newest first.',
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
        const body = outcome === 'SENT' ? undefined : await textOf(tx, call.services, row);
        return {
          ...{ created: creationOf(id), id, outcome, subject, to },
          ...(body === undefined ? {} : { body }),
          ...(problem === undefined ? {} : { problem }),
        };
      });
      return { results: await Promise.all(results), next };
    }),
});

async function textOf(tx: ReadTx, services: Services, row: MailRow): Promise<string | undefined> {
  const { kind } = row;
  return kind === 'notice' ? row.text : (await mailTextOf(tx, services, { ...row, kind }))?.text;
}
