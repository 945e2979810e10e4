import { wholeLimit } from './count-limit.ts';
import { strictHint } from './field-types.ts';
import { fields } from './fields.ts';
import { isGeneric } from './generic-names.ts';

/**
 * This file declares the arguments of commands that read data. The command itself, `explain` and views read the
 * arguments with the same tables.
 */

export const findFields = {
  find: 'collection!',
  filter: 'object',
  projection: 'object',
  sort: 'object',
  hint: 'objectOrString',
  skip: 'count',
  limit: 'count',
  batchSize: 'count',
  singleBatch: 'truth',
  allowDiskUse: 'truth',
  allowPartialResults: 'truth',
  awaitData: 'truth',
  collation: 'object',
  includeQueryStatsMetrics: 'truth',
  let: 'object',
  max: 'object',
  min: 'object',
  noCursorTimeout: 'truth',
  oplogReplay: 'truth',
  returnKey: 'truth',
  showRecordId: 'truth',
  tailable: 'truth',
  term: 'long',
  collectionUUID: 'uuid',
  encryptionInformation: 'object',
} as const;

export const countFields = {
  count: 'collection!',
  query: 'object',
  limit: wholeLimit,
  skip: 'count',
  hint: strictHint,
  collation: 'object',
  fields: 'any',
  queryOptions: 'object',
  encryptionInformation: 'object',
  queryHash: 'any',
} as const;

export const distinctFields = {
  distinct: 'collection!',
  key: 'string!',
  query: 'object',
  collation: 'object',
  hint: strictHint,
  queryHash: 'any',
} as const;

export const findReader = fields('find', findFields, isGeneric);
export const countReader = fields('count', countFields, isGeneric);
export const distinctReader = fields('distinct', distinctFields, isGeneric);
