import { ServerError } from '../../errors/server-error.ts';
import { converted, required } from '../shared/field-builders.ts';
import { type Fields, fields } from '../shared/fields.ts';

/** The maximum number of documents: 0, which means no limit, or 1. Read as a double, because 0.5 is an error. */
const deleteLimit = converted('double', (limit) => {
  if (limit === 0 || limit === 1) return limit;
  throw new ServerError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
});

const statementFields = {
  q: 'object!',
  limit: required(deleteLimit),
  collation: 'object',
  hint: 'objectOrString',
  sampleId: 'any',
} as const;

export const deleteReader = fields('delete.deletes', statementFields);

export type DeleteStatement = Fields<typeof statementFields>;
