import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { double, isNumber } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { findView } from '../views/view.ts';

/** The index on `_id`. Every collection has it, because documents are stored by `_id`. */
const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };

/** Returns the `_id` index as `listIndexes` returns it. */
export function idIndexOf({ options }: Collection): RawDocument {
  const clustered = options.document('clusteredIndex');
  const collation = options.document('collation');
  return new RawDocument(
    encodeDocument({
      ...idIndex,
      ...(clustered === undefined ? {} : { name: clustered.string('name') ?? idIndex.name }),
      ...(clustered === undefined ? {} : { unique: true, clustered: true }),
      ...(collation === undefined ? {} : { collation }),
    }),
  );
}

/** Returns the specifications of all indexes, `_id` first. A time series has no index on `_id`. */
export function specsOf(collection: Collection): RawDocument[] {
  const timeseries = collection.options.document('timeseries');
  const own = timeseries === undefined ? [idIndexOf(collection)] : timeIndex(timeseries);
  return [...own, ...collection.indexes.map(({ spec, kind }) => (kind === '2d' ? withDoubles(spec) : spec))];
}

/**
 * Converts the bounds of a `2d` index to doubles, as `listIndexes` returns them. The stored bounds keep their
 * number types.
 */
function withDoubles(spec: RawDocument): RawDocument {
  return writeDocument((writer) => {
    for (const field of spec) {
      const bound = (field.name === 'min' || field.name === 'max') && isNumber(field);
      if (bound) writer.field(field.name, double(toNumber(field)));
      else writer.element(field);
    }
  });
}

/**
 * Returns the default index of a time series, on the metaField and the timeField. A time series without a
 * metaField has none.
 */
function timeIndex(timeseries: RawDocument): RawDocument[] {
  const [time, meta] = [timeseries.string('timeField') ?? '', timeseries.string('metaField')];
  if (meta === undefined) return [];
  const index = { v: 2, key: { [meta]: 1, [time]: 1 }, name: `${meta}_1_${time}_1` };
  return [new RawDocument(encodeDocument(index))];
}

/** Returns a collection. Throws if it does not exist or is a view. */
export function indexedCollection(database: string, name: string, cluster: ClusterContext): Collection {
  rejectView(database, name, cluster);
  const collection = cluster.store.collection(database, name);
  if (collection !== undefined) return collection;
  throw new ServerError('NamespaceNotFound', `ns does not exist: ${database}.${name}`);
}

export function rejectView(database: string, name: string, { store }: ClusterContext): void {
  if (findView(store, database, name) === undefined) return;
  throw new ServerError(
    'CommandNotSupportedOnView',
    `Namespace ${database}.${name} is a view, not a collection`,
  );
}
