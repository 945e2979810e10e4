import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { cursorOptions } from '../shared/cursor-options.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { indexedCollection, specsOf } from './specifications.ts';

export const listIndexes = command({
  name: 'listIndexes',
  ...reading,
  stableApi: true,
  privileges: onCollection('listIndexes'),
  fields: {
    listIndexes: 'collection!',
    cursor: cursorOptions,
    includeBuildUUIDs: 'truth',
    includeIndexBuildInfo: 'truth',
    isTimeseriesNamespace: 'truth',
    rawData: 'truth',
  },
  run({ listIndexes: name, cursor, includeIndexBuildInfo = false }, request, cluster) {
    const namespace = checkNamespace(request.database, name);
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ?? {};
    const documents = hasNoIndexes(request.database, name, cluster)
      ? []
      : specsOf(indexedCollection(request.database, name, cluster));
    const shown = includeIndexBuildInfo ? documents.map(withBuildInfo) : documents;
    const results = new DocumentResults(shown.values(), undefined, shown.length);
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});

/**
 * Wraps a specification in `{spec}`, as `includeIndexBuildInfo` requires. There is no field for a build in progress,
 * because the command that creates an index also builds it.
 */
function withBuildInfo(spec: RawDocument): RawDocument {
  return writeDocument((writer) => writer.field('spec', spec.toValue()));
}

/** True for the buckets collections of time series and `system.profile`, which have no indexes, not even on `_id`. */
function hasNoIndexes(database: string, name: string, { store, parameters }: ClusterContext): boolean {
  if (name === 'system.profile') {
    return store.collection(database, name) !== undefined || parameters.profiler.of(database).level > 0;
  }
  if (!name.startsWith(BUCKETS)) return false;
  return store.collection(database, name.slice(BUCKETS.length))?.options.has('timeseries') === true;
}
