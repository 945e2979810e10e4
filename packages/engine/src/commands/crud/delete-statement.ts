import { type Fields, fields } from '../shared/fields.ts';

const statementFields = {
  q: 'object!',
  /** Not truncated: 0.5 is neither 0 nor 1. */
  limit: 'double!',
  collation: 'object',
  hint: 'objectOrString',
  sampleId: 'any',
} as const;

export const deleteReader = fields('delete.deletes', statementFields);

export type DeleteStatement = Fields<typeof statementFields>;
