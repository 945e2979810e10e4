import Type from 'typebox';
import type { WrittenJson } from '../../api/written-json.ts';
import { MAX_DOCUMENTS, MAX_SECONDS, runnable } from './rules.ts';

const Document = (description: string) =>
  // `x-verbatim` keeps the order of fields, which is significant in documents and in index keys.
  Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1000, 'x-verbatim': true, description });

export const DatabaseCommand = Type.Object(
  {
    command: Document(
      `The command as Extended JSON. Its first field is the name of the command: ${[...runnable].join(', ')}. Limits above ${MAX_DOCUMENTS} documents and time limits above ${MAX_SECONDS} seconds are reduced to these values.`,
    ),
    database: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the database.' }),
  },
  { description: 'A database command and the database on which it runs.' },
);
export type DatabaseCommand = Type.Static<typeof DatabaseCommand>;

export const CommandReply = Type.Object(
  {
    isCut: Type.Boolean({
      description:
        'Whether the command found more documents than the reply contains. The remaining documents cannot be fetched, since the cursor is closed.',
    }),
    reply: Type.Unsafe<WrittenJson>(
      Document(
        'Reply of the database as Extended JSON. Numbers are plain JSON numbers where this preserves their type.',
      ),
    ),
  },
  {
    description:
      'The reply to a database command. The field `writeErrors` of `reply` lists the documents that could not be written.',
  },
);
export type CommandReply = Type.Static<typeof CommandReply>;
