import { ServerError } from '../../../errors/server-error.ts';
import { converted, inRange, required, words } from '../../shared/field-builders.ts';
import type { Fields } from '../../shared/fields.ts';

/** This file declares the options of a time series. */

const MAX_BUCKET_SECONDS = 31_536_000;

/** The time span of a bucket by granularity, in seconds. */
export const spans = { seconds: 3600, minutes: 86_400, hours: 2_592_000 } as const;

const bucketSeconds = inRange('int', 1, MAX_BUCKET_SECONDS);

export const bucketingFields = {
  granularity: words(Object.keys(spans) as Array<keyof typeof spans>),
  bucketMaxSpanSeconds: bucketSeconds,
  bucketRoundingSeconds: bucketSeconds,
} as const;

export type Bucketing = Fields<typeof bucketingFields>;

/** The name of a field, not a path. */
const fieldName = converted('string', (name, option) => {
  if (name.includes('\0')) {
    throw new ServerError('BadValue', `'${option}' cannot contain an embedded null byte`);
  }
  if (!name.includes('.')) return name;
  throw new ServerError('InvalidOptions', `'${option}' must be a top-level field and not contain a '.'`);
});

export const seriesFields = {
  timeField: required(fieldName),
  metaField: fieldName,
  ...bucketingFields,
} as const;

export type SeriesArguments = Fields<typeof seriesFields>;
