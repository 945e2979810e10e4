import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Collection } from '../../storage/collection/collection.ts';

interface Statement {
  readonly q: RawDocument;
  readonly u: Value;
  readonly multi?: boolean;
  readonly upsert?: boolean;
}

/** Throws unless the update of a time series changes only the metaField and updates all matches. */
export function checkTimeseriesUpdate({ options }: Collection, { q, u, multi, upsert }: Statement): void {
  const timeseries = options.isEmpty ? undefined : options.document('timeseries');
  if (timeseries === undefined) return;
  if (upsert) throw notOnTimeSeries('an upsert');
  if (!multi) throw notOnTimeSeries('a non-multi update');
  if (u.type !== bsonTypes.object || !documentOf(u).first()?.name.startsWith('$')) {
    throw notOnTimeSeries('an update that is a pipeline or a replacement');
  }
  const metaField = timeseries.string('metaField');
  if (metaField === undefined) throw notOnTimeSeries('an update on a collection that has no metaField');
  const isMeta = (path: string) => path === metaField || path.startsWith(`${metaField}.`);
  if (!fieldsOf(q).every(isMeta))
    throw notOnTimeSeries('an update when querying on a field that is not the metaField');
  for (const modifier of documentOf(u)) {
    if (modifier.name === '$rename') throw notOnTimeSeries('an update that renames a field');
    if (modifier.type !== bsonTypes.object) continue;
    for (const { name } of documentOf(modifier)) {
      if (!isMeta(name)) throw notOnTimeSeries('an update on a field that is not the metaField');
    }
  }
}

/** Returns the names of the fields in a filter, including those in the operands of logical operators. */
function fieldsOf(filter: RawDocument): string[] {
  return [...filter].flatMap((element) => {
    if (!element.name.startsWith('$')) return [element.name];
    if (element.type !== bsonTypes.array) return [];
    return [...documentOf(element)].flatMap((entry) =>
      entry.type === bsonTypes.object ? fieldsOf(documentOf(entry)) : [],
    );
  });
}

export function notOnTimeSeries(what: string): ServerError {
  return new ServerError('InvalidOptions', `Cannot perform ${what} on a time-series collection`);
}
