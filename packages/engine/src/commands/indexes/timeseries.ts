import { bsonTypes } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { IndexSpec } from '../../storage/index-specs/index-spec.ts';
import { isWildcard, kindOf } from '../../storage/model/index-definition.ts';
import { metaPaths } from '../../storage/model/meta-paths.ts';

/**
 * Throws for indexes on a time series that the server does not support. The server stores buckets, which contain the
 * metaField unchanged. For any other field, it can index only the minimum and maximum per bucket. Therefore an index on
 * such a field cannot be unique, sparse, hashed or text.
 */
export function checkTimeSeriesIndex(spec: IndexSpec, timeseries: RawDocument): void {
  const { document, given } = spec;
  const key = given.document('key') ?? document.document('key');
  if (key === undefined) return;
  const time = timeseries.string('timeField');
  const isMeta = metaPaths(timeseries);
  const overMeta = [...key].every(({ name }) => isMeta(name));
  if (kindOf(key) === 'text')
    throw invalidOptions('Text indexes are not supported on time-series collections');
  if (document.has('unique'))
    throw invalidOptions('Unique indexes are not supported on time-series collections');
  if (document.has('sparse') && !overMeta) {
    throw invalidOptions('Sparse indexes are not supported on time-series measurements');
  }
  for (const part of key) checkPart(part, isMeta);
  checkExpiry(document, [...key].map(({ name }) => name).join() === time, isMeta);
  if (document.has('partialFilterExpression') && given.has('collation') && document.has('collation')) {
    throw new ServerError(
      'IndexOptionsConflict',
      'A partial index on a time-series collection must have the collation of its collection',
    );
  }
}

function invalidOptions(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}

function checkPart(part: Element, isMeta: (name: string) => boolean): void {
  if (isMeta(part.name)) return;
  if (isWildcard(part.name)) {
    // On the server, a wildcard index on measurements covers both the minimum and the maximum of each field. It would
    // need two wildcard fields, but an index can have only one.
    throw new ServerError(7246201, 'wildcard indexes do not allow more than one wildcard field');
  }
  if (isNumber(part) || (part.type === bsonTypes.string && textOf(part) === '2dsphere')) return;
  throw new ServerError(
    'CannotCreateIndex',
    'Invalid index spec for time-series collection: indexes on measurement fields must be ascending or descending, ' +
      `or 2dsphere, but '${part.name}' is ${describe(part)}`,
  );
}

/**
 * Validates a TTL. A bucket expires as a whole, so the key must be the timeField, and there must be a filter
 * that refers only to the metaField.
 */
function checkExpiry(document: RawDocument, overTime: boolean, isMeta: (name: string) => boolean): void {
  if (!document.has('expireAfterSeconds')) return;
  const filter = document.document('partialFilterExpression');
  if (overTime && filter !== undefined && filtersMetaOnly(filter, isMeta)) return;
  throw invalidOptions(
    'TTL indexes on time-series collections are only supported on the time field, with a partialFilterExpression on the metaField',
  );
}

function filtersMetaOnly(filter: RawDocument, isMeta: (name: string) => boolean): boolean {
  return [...filter].every((element) => {
    if (element.type !== bsonTypes.array || !element.name.startsWith('$')) return isMeta(element.name);
    return entriesOf(element).every((entry) => filtersMetaOnly(documentOf(entry), isMeta));
  });
}
