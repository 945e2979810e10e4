import Type from 'typebox';
import { MAX_DOCUMENTS, MAX_SECONDS, runnable } from './rules.ts';

const Document = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1000, description });

export const DatabaseCommand = Type.Object(
  {
    command: Document(
      `The command as Extended JSON, its name first: ${[...runnable].join(', ')}. Limits above ${MAX_DOCUMENTS} documents and time limits above ${MAX_SECONDS} seconds are reduced to these values.`,
    ),
    database: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the database.' }),
  },
  { description: 'A command for the databases of a cluster.' },
);
export type DatabaseCommand = Type.Static<typeof DatabaseCommand>;

export const CommandReply = Type.Object(
  {
    isCut: Type.Boolean({ description: 'Whether further documents were left out. Cursors are closed.' }),
    reply: Document(
      'The reply of the database as Extended JSON. Numbers in documents have the relaxed form if it preserves their type.',
    ),
  },
  { description: 'The reply to a command. Documents that could not be written are listed in writeErrors.' },
);
