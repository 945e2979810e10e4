import type { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { type Bucketing, spans } from '../create/series-fields.ts';
import { bucketingOf } from '../create/timeseries.ts';
import { type ModifyArguments, modifications } from './arguments.ts';

/** Throws if a command changes the spans of buckets and other options of a collection or index. */
export function checkBucketingAlone({ timeseries, ...args }: ModifyArguments): void {
  if (timeseries === undefined || Object.keys(timeseries).length === 0) return;
  const other = modifications.find((option) => args[option] !== undefined);
  if (other !== undefined) throw invalid(`'timeseries' cannot be changed together with '${other}'`);
}

/** Returns the time series options with new bucket spans. Spans can only grow. */
export function changedBucketing(before: RawDocument, given: Bucketing): object {
  const { granularity, bucketMaxSpanSeconds: span, bucketRoundingSeconds: rounding } = given;
  const { timeField, metaField, ...bucketing } = Object.fromEntries(
    [...before].map((option) => [option.name, option]),
  );
  if (granularity === undefined && span === undefined && rounding === undefined) {
    return { timeField, metaField, ...bucketing };
  }
  if (granularity !== undefined && (span ?? rounding) !== undefined) {
    throw invalid("'granularity' cannot be given together with the seconds of buckets");
  }
  if (span !== rounding) {
    throw invalid("'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' must be given together and be equal");
  }
  const current = before.int('bucketMaxSpanSeconds') ?? 0;
  const wanted = granularity === undefined ? span : spans[granularity];
  if ((wanted ?? 0) < current) {
    throw invalid('Invalid transition for timeseries.granularity. Can only increase the span of buckets');
  }
  return { timeField, metaField, ...bucketingOf(given) };
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
