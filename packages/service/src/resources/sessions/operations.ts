import Type from 'typebox';
import { DateTime } from '../../api/fields.ts';
import { extension } from '../services.ts';
import { createLink } from './changes.ts';

const ConsoleLink = Type.Object(
  {
    expiresAt: DateTime({
      description: 'Time at which the link expires, by the clock of the machine, not service time.',
    }),
    url: Type.String({ description: 'Link that logs in to the console. It works once.' }),
  },
  { description: 'A login link for the console.' },
);

export const createConsoleLink = extension({
  id: 'createConsoleLink',
  summary:
    'Creates a login link for the console, which works once. The link logs in an owner of the first organization, who also gets the rights of the operator.',
  tag: 'Operator',
  surface: 'operator',
  method: 'POST',
  path: '/console/links',
  access: 'operator',
  reply: ConsoleLink,
  status: 201,
  async handler({ services, write }) {
    const { url, expires } = await write((tx) => createLink(tx, services));
    return { expiresAt: new Date(expires), url };
  },
});
