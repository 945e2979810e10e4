import type { Fields } from '../../shared/fields.ts';

export const createFields = {
  create: 'collection!',
  autoIndexId: 'truth',
  capped: 'truth',
  changeStreamPreAndPostImages: 'object',
  clusteredIndex: 'value',
  collation: 'object',
  encryptedFields: 'object',
  expireAfterSeconds: 'number',
  flags: 'int',
  idIndex: 'object',
  indexOptionDefaults: 'object',
  max: 'int',
  pipeline: 'array',
  recordIdsReplicated: 'truth',
  size: 'int',
  storageEngine: 'object',
  temp: 'truth',
  timeseries: 'object',
  validationAction: 'string',
  validationLevel: 'string',
  validator: 'object',
  viewOn: 'string',
} as const;

export type CreateArguments = Fields<typeof createFields>;
