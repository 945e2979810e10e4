import { type Fields, fields } from '../shared/fields.ts';

const statementFields = {
  q: 'object!',
  /** Read as a double, because the server distinguishes 0.5 from 0 and 1. */
  limit: 'double!',
  collation: 'object',
  hint: 'objectOrString',
  sampleId: 'any',
} as const;

export const deleteReader = fields('delete.deletes', statementFields);

export type DeleteStatement = Fields<typeof statementFields>;
