import type { Fields } from '../../shared/fields.ts';

export const modifyFields = {
  collMod: 'collection!',
  index: 'object',
  validator: 'object',
  validationLevel: 'string',
  validationAction: 'string',
  viewOn: 'string',
  pipeline: 'array',
  changeStreamPreAndPostImages: 'object',
  expireAfterSeconds: 'value',
  timeseries: 'object',
  cappedSize: 'int',
  cappedMax: 'int',
  dryRun: 'truth',
  recordPreImages: 'truth',
  timeseriesBucketsMayHaveMixedSchemaData: 'truth',
  prepareUnique: 'truth',
  isTimeseriesNamespace: 'truth',
  collectionUUID: 'uuid',
} as const;

export type ModifyArguments = Fields<typeof modifyFields>;

/** Options that change a collection or index, except the option for the buckets of a time series. */
export const modifications = [
  'index',
  'validator',
  'validationLevel',
  'validationAction',
  'changeStreamPreAndPostImages',
  'expireAfterSeconds',
  'cappedSize',
  'cappedMax',
] as const;

/** Options that cannot be changed on a view. */
export const notOnViews = [...modifications, 'timeseries'] as const;
