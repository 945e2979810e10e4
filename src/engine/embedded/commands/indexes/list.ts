import { command } from '../define.ts';
import { fields } from '../fields.ts';
import { checkNamespace, onCollection } from '../namespace.ts';
import { DocumentResults, firstBatch } from '../results.ts';
import { indexedCollection, specsOf } from './listed.ts';

const cursorOptions = fields('listIndexes.cursor', { batchSize: 'count' });

export const listIndexes = command({
  name: 'listIndexes',
  privileges: onCollection('listIndexes'),
  fields: {
    listIndexes: 'collection!',
    cursor: 'object',
    includeBuildUUIDs: 'truth',
    includeIndexBuildInfo: 'truth',
    isTimeseriesNamespace: 'truth',
    rawData: 'truth',
  },
  run({ listIndexes: name, cursor }, request, cluster) {
    const namespace = checkNamespace(request.database, name);
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ? cursorOptions.read(cursor) : {};
    const documents = specsOf(indexedCollection(request.database, name, cluster));
    const results = new DocumentResults(documents.values(), undefined, documents.length);
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});
