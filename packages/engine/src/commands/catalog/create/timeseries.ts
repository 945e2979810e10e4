import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { fields } from '../../shared/fields.ts';
import type { CreateArguments } from './arguments.ts';
import { type Bucketing, type SeriesArguments, seriesFields, spans } from './series-fields.ts';

const outputReader = fields('$out.timeseries', seriesFields);

/** Checks the options of a time series, and returns them in the form in which they are stored. */
export function readTimeseries(series: SeriesArguments, args: CreateArguments): RawDocument {
  checkCombination(args);
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

function seriesOf({ timeField, metaField, ...given }: SeriesArguments): RawDocument {
  checkBuckets(given);
  return new RawDocument(encodeDocument({ timeField, metaField, ...bucketingOf(given) }));
}

const apart = ['capped', 'validator', 'validationLevel', 'validationAction', 'idIndex', 'viewOn'] as const;

function checkCombination(args: CreateArguments): void {
  const other = apart.find((option) => args[option] !== undefined && args[option] !== false);
  if (other === undefined) return;
  throw invalid(`The '${other}' option is not supported for time-series collections`);
}

function checkBuckets(given: Bucketing): void {
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
  const chosen = granularity ?? 'seconds';
  return { granularity: chosen, bucketMaxSpanSeconds: spans[chosen] };
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
