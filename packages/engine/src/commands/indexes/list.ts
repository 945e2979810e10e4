import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { command } from '../shared/define.ts';
import { fields } from '../shared/fields.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { indexedCollection, specsOf } from './listed.ts';

const cursorOptions = fields('listIndexes.cursor', { batchSize: 'count' });

export const listIndexes = command({
  name: 'listIndexes',
  ...reading,
  stableApi: true,
  privileges: onCollection('listIndexes'),
  fields: {
    listIndexes: 'collection!',
    cursor: 'object',
    includeBuildUUIDs: 'truth',
    includeIndexBuildInfo: 'truth',
    isTimeseriesNamespace: 'truth',
    rawData: 'truth',
  },
  run({ listIndexes: name, cursor, includeIndexBuildInfo = false }, request, cluster) {
    const namespace = checkNamespace(request.database, name);
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ? cursorOptions.read(cursor) : {};
    const documents = withoutIndexes(request.database, name, cluster)
      ? []
      : specsOf(indexedCollection(request.database, name, cluster));
    const shown = includeIndexBuildInfo ? documents.map(inSpec) : documents;
    const results = new DocumentResults(shown.values(), undefined, shown.length);
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});

/** Beside the specification of an index that is being built stands how far it is; here indexes are built at once. */
function inSpec(spec: RawDocument): RawDocument {
  return writeDocument((writer) => writer.field('spec', spec.toValue()));
}

/** What holds measurements, and what the profiler writes, have none, not even of `_id`. */
function withoutIndexes(database: string, name: string, { store, parameters }: ClusterContext): boolean {
  if (name === 'system.profile') {
    return store.collection(database, name) !== undefined || parameters.profiler.of(database).level > 0;
  }
  if (!name.startsWith(BUCKETS)) return false;
  return store.collection(database, name.slice(BUCKETS.length))?.options.has('timeseries') === true;
}
