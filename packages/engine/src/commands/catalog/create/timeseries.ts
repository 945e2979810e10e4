import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { type Fields, fields } from '../../shared/fields.ts';
import type { CreateArguments } from './arguments.ts';

const MAX_BUCKET_SECONDS = 31_536_000;

/** The time span of a bucket by granularity, in seconds. */
export const spans: Readonly<Record<string, number>> = { seconds: 3600, minutes: 86_400, hours: 2_592_000 };

const bucketing = {
  granularity: 'string',
  bucketMaxSpanSeconds: 'int',
  bucketRoundingSeconds: 'int',
} as const;

const seriesFields = { timeField: 'string!', metaField: 'string', ...bucketing } as const;
const timeseriesReader = fields('create.timeseries', seriesFields);
const outputReader = fields('$out.timeseries', seriesFields);

export const bucketingReader = fields('collMod.timeseries', bucketing);

export interface Bucketing {
  readonly granularity?: string;
  readonly bucketMaxSpanSeconds?: number;
  readonly bucketRoundingSeconds?: number;
}

/** Checks the options of a time series, and returns them in the form in which they are stored. */
export function readTimeseries(document: RawDocument, args: CreateArguments): RawDocument {
  checkCombination(args);
  const series = timeseriesReader.read(document);
  const { timeField, metaField } = series;
  const shown = seriesOf(series);
  if (metaField === '_id') throw invalid('The \'metaField\' cannot be "_id"');
  if (metaField === timeField) throw invalid("'metaField' cannot be the same as 'timeField'");
  return shown;
}

/** Parses the options of a time series that `$out` creates. Field names are not restricted. */
export function readOutputSeries(document: RawDocument): RawDocument {
  return seriesOf(outputReader.read(document));
}

function seriesOf({ timeField, metaField, ...given }: Fields<typeof seriesFields>): RawDocument {
  checkFieldName('timeField', timeField);
  if (metaField !== undefined) checkFieldName('metaField', metaField);
  checkBuckets(given);
  return new RawDocument(encodeDocument({ timeField, metaField, ...bucketingOf(given) }));
}

const apart = ['capped', 'validator', 'validationLevel', 'validationAction', 'idIndex', 'viewOn'] as const;

function checkCombination(args: CreateArguments): void {
  const other = apart.find((option) => args[option] !== undefined && args[option] !== false);
  if (other === undefined) return;
  throw invalid(`The '${other}' option is not supported for time-series collections`);
}

function checkFieldName(option: string, name: string): void {
  if (name.includes('\0'))
    throw new ServerError('BadValue', `'${option}' cannot contain an embedded null byte`);
  if (name.includes('.')) throw invalid(`'${option}' must be a top-level field and not contain a '.'`);
}

/** Throws for numbers out of range and unknown granularities. */
export function checkBucketValues({
  granularity,
  bucketMaxSpanSeconds,
  bucketRoundingSeconds,
}: Bucketing): void {
  if (granularity !== undefined && !Object.hasOwn(spans, granularity)) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${granularity}' for field 'timeseries.granularity' is not a valid value.`,
    );
  }
  for (const [name, value] of Object.entries({ bucketMaxSpanSeconds, bucketRoundingSeconds })) {
    if (value === undefined) continue;
    if (value < 1 || value > MAX_BUCKET_SECONDS) {
      const bound = value < 1 ? '>= 1' : `<= ${MAX_BUCKET_SECONDS}`;
      throw new ServerError(
        'BadValue',
        `BSON field '${name}' value must be ${bound}, actual value '${value}'`,
      );
    }
  }
}

function checkBuckets(given: Bucketing): void {
  checkBucketValues(given);
  const { granularity, bucketMaxSpanSeconds: span, bucketRoundingSeconds: rounding } = given;
  if (granularity !== undefined) {
    if (rounding !== undefined || (span !== undefined && span !== spans[granularity])) {
      throw invalid("'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' cannot be given with 'granularity'");
    }
    return;
  }
  if (span !== rounding) {
    throw invalid("'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' must be given together and be equal");
  }
}

/** Completes the options of buckets with defaults. */
export function bucketingOf({ granularity, bucketMaxSpanSeconds: span }: Bucketing): Bucketing {
  if (granularity === undefined && span !== undefined) {
    return { bucketRoundingSeconds: span, bucketMaxSpanSeconds: span };
  }
  const { seconds = 0, [granularity ?? 'seconds']: own = seconds } = spans;
  return { granularity: granularity ?? 'seconds', bucketMaxSpanSeconds: own };
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
