import { textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { indexChange } from '../../indexes/modify.ts';
import { byType, inRange, nested, notNull } from '../../shared/field-builders.ts';
import { type Fields, truncated } from '../../shared/fields.ts';
import { images, validationAction, validationLevel, viewPipeline } from '../create/option-types.ts';
import { bucketingFields } from '../create/series-fields.ts';

/** The TTL of a collection in seconds, or the word that turns it off. Null is an error. */
const expiryOrOff = notNull(byType({ string: readOff, number: truncated }));

function readOff(value: Value): 'off' {
  const word = textOf(value);
  if (word === 'off') return word;
  throw new ServerError(
    'InvalidOptions',
    `'expireAfterSeconds' has to be a number or 'off', but is '${word}'`,
  );
}

export const modifyFields = {
  collMod: 'collection!',
  index: indexChange,
  validator: 'object',
  validationLevel,
  validationAction,
  viewOn: 'string',
  pipeline: viewPipeline,
  changeStreamPreAndPostImages: images,
  expireAfterSeconds: expiryOrOff,
  timeseries: nested(bucketingFields),
  cappedSize: inRange('int', 1),
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
