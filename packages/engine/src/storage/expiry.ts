import { writeDocument } from '../bson/document-writer.ts';
import type { RawDocument } from '../bson/raw.ts';
import { date } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import { compileFilter, type Filter } from '../language/filter/index.ts';
import type { ClusterStore } from './cluster-store.ts';
import type { Collection } from './collection/collection.ts';
import type { AccessPath } from './model/access-path.ts';
import type { IndexDefinition } from './model/index-definition.ts';
import { rangeOf } from './model/range.ts';
import type { RecordStream } from './records/scan.ts';

/** A rule by which the documents of a collection expire: some time after the date in a field of the document. */
export interface Expiring {
  readonly collection: Collection;
  /** The path of the date. */
  readonly path: string;
  /** The time from the date to the expiry, in seconds. */
  readonly seconds: number;
  readonly index?: IndexDefinition;
}

/** Returns the expiry rules of all replicated databases. */
export function expiring(store: ClusterStore): Expiring[] {
  const collections = store
    .databases()
    .filter((database) => database !== 'local')
    .flatMap((database) => store.collections(database));
  const indexed = store.havingIndexesWith('expireAfterSeconds');
  return collections.flatMap((collection) => [
    ...(indexed.has(collection.number) ? byIndexes(collection) : []),
    ...byOptions(collection),
  ]);
}

function byIndexes(collection: Collection): Expiring[] {
  return collection.indexes.flatMap((index) => {
    const { expireAfterSeconds: seconds, parts } = index;
    const path = parts[0]?.path.text;
    return seconds === undefined || path === undefined ? [] : [{ collection, path, seconds, index }];
  });
}

/**
 * Returns the rule in the options of a collection: clustered collections expire by `_id`, time series by their time
 * field.
 */
function byOptions(collection: Collection): Expiring[] {
  const { options } = collection;
  if (options.isEmpty) return [];
  const seconds = options.get('expireAfterSeconds') && options.int('expireAfterSeconds');
  if (seconds === undefined) return [];
  const path = options.document('timeseries')?.string('timeField') ?? '_id';
  return [{ collection, path, seconds }];
}

/** True if the rule still applies: its collection and its index exist, and neither has been changed. */
export function isCurrent({ collection, index }: Expiring): boolean {
  return !collection.dropped && (index === undefined || collection.indexes.includes(index));
}

/**
 * Must run inside `write`. Removes expired documents while `goesOn` returns true. Returns the number of removed
 * documents, and whether there may be more. Skips documents that an open transaction has locked; a later call removes
 * them.
 */
export function removeExpired(
  store: ClusterStore,
  { collection, index, path, seconds }: Expiring,
  now: number,
  goesOn: (removed: number) => boolean,
): { removed: number; more: boolean } {
  const filter = compileFilter(notAfter(path, now - seconds * 1000));
  const records = collection.scan(pathOf(filter, index));
  let removed = 0;
  for (const record of matching(records, filter, index)) {
    if (!goesOn(removed)) return { removed, more: true };
    try {
      store.savepoint(() => collection.remove(record));
      removed++;
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }
  return { removed, more: false };
}

/** Returns a filter for dates up to a time. Values of other types never expire. */
function notAfter(path: string, ms: number): RawDocument {
  const comparison = writeDocument((writer) => writer.field('$lte', date(BigInt(Math.trunc(ms)))));
  return writeDocument((writer) => writer.field(path, comparison.toValue()));
}

function* matching(records: RecordStream, filter: Filter, index: IndexDefinition | undefined) {
  for (let record = records.next(); record !== undefined; record = records.next()) {
    if (filter.matches(record.doc) && index?.partial?.matches(record.doc) !== false) yield record;
  }
}

function pathOf(filter: Filter, index: IndexDefinition | undefined): AccessPath {
  const [bounds] = [...filter.bounds.values()].flat();
  const intervals = bounds?.intervals ?? [];
  if (index === undefined && filter.bounds.has('_id')) return { kind: 'byId', intervals, reverse: false };
  if (index?.answersQueries !== true || index.kind !== 'ordinary') return { kind: 'natural', reverse: false };
  const ranges = intervals.map((interval) => rangeOf(interval, index.parts[0]?.direction ?? 1));
  return { kind: 'index', index, ranges, reverse: false };
}
