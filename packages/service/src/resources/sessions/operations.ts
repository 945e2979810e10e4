import Type from 'typebox';
import { DateTime } from '../../api/fields.ts';
import { extension } from '../services.ts';
import { createLink } from './changes.ts';

const ConsoleLink = Type.Object(
  {
    expiresAt: DateTime({ description: 'Machine time.' }),
    url: Type.String({ description: 'The link; opening it logs in to the console once.' }),
  },
  { description: 'A login link for the console.' },
);

export const createConsoleLink = extension({
  id: 'createConsoleLink',
  summary:
    'Creates a link that logs in to the console once, as an organization owner with the rights of the operator.',
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
