import { ServerError } from '../../errors/server-error.ts';
import { nullable } from '../shared/field-builders.ts';
import { strictHint } from '../shared/field-types.ts';
import { type Fields, fields } from '../shared/fields.ts';
import { isGeneric } from '../shared/generic-names.ts';
import { updateValue } from './update-statement.ts';

export const findAndModifyFields = {
  findAndModify: 'collection!',
  query: 'object',
  sort: 'object',
  remove: 'truth',
  update: nullable(updateValue),
  new: 'truth',
  fields: 'object',
  upsert: 'truth',
  bypassDocumentValidation: 'truth',
  bypassEmptyTsReplacement: 'bool',
  collation: 'object',
  arrayFilters: 'documents',
  hint: strictHint,
  let: 'object',
  stmtId: 'int32',
  sampleId: 'any',
  encryptionInformation: 'object',
  allowShardKeyUpdatesWithoutFullShardKeyInQuery: 'truth',
} as const;

export type FindAndModifyArguments = Fields<typeof findAndModifyFields>;

export const findAndModifyReader = fields('findAndModify', findAndModifyFields, isGeneric);

/** Throws for conflicting arguments. */
export function checkArguments(args: FindAndModifyArguments): void {
  const { remove: removes = false, update: change, upsert, arrayFilters } = args;
  if (!removes) {
    if (change === undefined) throw failedToParse('Either an update or remove=true must be specified');
    return;
  }
  if (change !== undefined) throw failedToParse('Cannot specify both an update and remove=true');
  if (upsert) throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (args.new) {
    throw failedToParse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
  if (arrayFilters !== undefined) throw failedToParse('Cannot specify arrayFilters and remove=true');
}

function failedToParse(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}
