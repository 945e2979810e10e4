import type { ClusterContext, CommandRequest } from '../command.ts';
import { prepareInsert } from '../language/insert.ts';
import type { Namespace, PipelineSurroundings } from '../language/pipeline/surroundings.ts';
import { RawDocument } from '../language/raw.ts';
import { idKey } from '../storage/id-key.ts';
import { collectionToWrite, store } from './insert.ts';
import { documentsOf } from './plan.ts';

type Writes = Pick<PipelineSurroundings, 'replaceCollection' | 'replaceOne' | 'insertOne'>;

/** Where a result is gathered before it takes the place of a collection. */
const GATHERED = 'tmp.agg_out';

/** How the stages of a pipeline write. All of it is part of the transaction of the command. */
export function pipelineWriter(request: CommandRequest, cluster: ClusterContext): Writes {
  const within = ({ database = request.database }: Namespace) => ({ ...request, database });
  return {
    replaceCollection(namespace, docs) {
      const { database } = within(namespace);
      const before = cluster.store.collection(database, namespace.collection);
      const gathered = cluster.store.create(database, GATHERED, RawDocument.empty);
      // What comes in may be read from the collection that is replaced.
      for (const doc of docs) store(gathered, prepareInsert(doc, cluster.newId));
      const options = before?.options ?? RawDocument.empty;
      if (before !== undefined) cluster.store.drop(before);
      const made = cluster.store.create(database, namespace.collection, options);
      for (const doc of documentsOf(gathered.scan({ kind: 'natural', reverse: false }))) store(made, doc);
      cluster.store.drop(gathered);
    },
    replaceOne(namespace, before, after) {
      const { database } = within(namespace);
      const collection = cluster.store.collection(database, namespace.collection);
      const record = collection?.find(idKey(before));
      if (collection !== undefined && record !== undefined) collection.replace(record, after, true);
    },
    insertOne(namespace, doc) {
      const collection = collectionToWrite(within(namespace), namespace.collection, cluster);
      store(collection, prepareInsert(doc, cluster.newId));
    },
  };
}
