import { type Fields, fields } from '../shared/fields.ts';

const statementFields = {
  q: 'object!',
  limit: 'int!',
  collation: 'object',
  hint: 'objectOrString',
  sampleId: 'any',
} as const;

export const deleteReader = fields('delete.deletes', statementFields);

export type DeleteStatement = Fields<typeof statementFields>;
