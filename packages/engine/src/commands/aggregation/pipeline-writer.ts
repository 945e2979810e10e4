import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { prepareInsert } from '../../language/insert.ts';
import type { Namespace, PipelineEnvironment } from '../../language/pipeline/pipeline-environment.ts';
import { CappedCollection } from '../../storage/collection/capped.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { idKey } from '../../storage/records/id-key.ts';
import { storeBuckets } from '../catalog/create/buckets.ts';
import { encodeOptions } from '../catalog/create/stored-options.ts';
import { readOutputSeries } from '../catalog/create/timeseries.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { store as storeDocument } from '../crud/insert.ts';
import { checkReplace } from '../crud/validation/rules.ts';
import { createdEntry } from '../indexes/create.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { collectionIn, findView } from '../views/view.ts';

type Writes = Pick<PipelineEnvironment, 'replaceCollection' | 'replaceOne' | 'insertOne'>;

/** The temporary collection to which `$out` writes before the output replaces the target. */
const TEMPORARY = 'tmp.agg_out';

/** Returns the write operations of pipeline stages. They run in the transaction of the command. */
export function pipelineWriter(request: CommandRequest, cluster: ClusterContext): Writes {
  const within = ({ database = request.database }: Namespace) => ({ ...request, database });
  return {
    replaceCollection(namespace, docs, timeseries) {
      const { database } = within(namespace);
      const before = collectionToReplace(database, namespace.collection, timeseries, cluster);
      const options = outputOptions(before, timeseries);
      const output = cluster.store.create(database, TEMPORARY, options);
      for (const { spec } of before?.indexes ?? []) {
        output.createIndex(spec);
        cluster.store.noteCommand(output, createdEntry(output, spec));
      }
      // Write to a temporary collection, because the pipeline may still read the collection that the output
      // replaces.
      for (const doc of docs)
        storeDocument(output, prepareInsert(doc, cluster.random.newId), request, cluster);
      cluster.store.rename(output, namespace.collection, before);
      if (options.has('timeseries')) storeBuckets(cluster.store, database, namespace.collection, options);
    },
    replaceOne(namespace, before, after) {
      const { database } = within(namespace);
      const collection = cluster.store.collection(database, namespace.collection);
      const record = collection?.find(idKey(before));
      if (collection === undefined || record === undefined) return;
      cluster.store.commitPart();
      checkReplace(collection, record.doc, after, request, cluster);
      collection.replace(record, after);
    },
    insertOne(namespace, doc) {
      cluster.store.commitPart();
      const collection = collectionToWrite(within(namespace), namespace.collection, cluster);
      storeDocument(collection, prepareInsert(doc, cluster.random.newId), request, cluster);
    },
  };
}

/** Returns the collection that `$out` replaces, or undefined if there is none. Throws if it cannot be replaced. */
function collectionToReplace(
  database: string,
  name: string,
  timeseries: RawDocument | undefined,
  { store }: ClusterContext,
): Collection | undefined {
  if (timeseries !== undefined && findView(store, database, name) !== undefined) {
    throw new ServerError(7268700, `${database}.${name} is a view, not a time series`);
  }
  const before = collectionIn(store, database, name);
  if (!(before instanceof CappedCollection)) return before;
  throw new ServerError(17152, `namespace '${before.namespace}' is capped so it can't be used for $out`);
}

/**
 * Returns the options of the output collection. They are the options of the replaced collection, if there is
 * one. Otherwise they are the options of a new collection, which may be a time series. With `timeseries`,
 * throws if the replaced collection has other time series options, or none.
 */
function outputOptions(before: Collection | undefined, timeseries: RawDocument | undefined): RawDocument {
  if (timeseries === undefined) return before?.options ?? RawDocument.empty;
  const series = readOutputSeries(timeseries);
  if (before === undefined) return encodeOptions({ timeseries: series });
  const own = before.options.document('timeseries');
  if (own === undefined) {
    throw new ServerError(7268700, `${before.namespace} already exists and is not a time series`);
  }
  if (own.equals(series)) return before.options;
  throw new ServerError(7406103, `${before.namespace} already exists with other time series options`);
}
