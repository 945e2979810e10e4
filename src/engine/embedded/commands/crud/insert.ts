import { describe } from '../../bson/describe.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { prepareInsert } from '../../language/insert.ts';
import type { Collection } from '../../storage/collection.ts';
import { idKey } from '../../storage/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { batchReply, checkBatch, runStatements } from '../shared/statements.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { withTimestamps } from './timestamps.ts';
import { duplicateClusteredId } from './validation/clustered-id.ts';
import { checkInsert } from './validation/rules.ts';

const insert = command({
  name: 'insert',
  ...writing,
  operation: 'insert',
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'nothing',
  privileges: onCollection('insert'),
  fields: {
    insert: 'collection!',
    documents: 'documents!',
    ordered: 'bool',
    bypassDocumentValidation: 'truth',
    bypassEmptyTsReplacement: 'bool',
    stmtId: 'int',
    stmtIds: 'array',
  },
  run({ insert: name, documents, ordered = true }, request, cluster) {
    checkNamespace(request.database, name);
    checkBatch(documents.length);
    let n = 0;
    const insertOne = (document: RawDocument) => {
      const prepared = withTimestamps(prepareInsert(document, cluster.random.newId), request, cluster);
      store(collectionToWrite(request, name, cluster), prepared, request, cluster);
      return inserted;
    };
    const writeErrors = runStatements(request, cluster, documents, ordered, insertOne, (outcome) => {
      n += outcome.n;
    });
    return batchReply(request, { n, ...writeErrors });
  },
});

const inserted = { n: 1 };

/** Stores a new document; throws `DuplicateKey` when its `_id` is taken, and what the collection refuses it with. */
export function store(
  collection: Collection,
  document: RawDocument,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  checkInsert(collection, document, request, cluster);
  if (collection.insert(idKey(document), document)) return;
  const id = document.get('_id') ?? nullValue;
  const clustered = collection.options.has('clusteredIndex') ? duplicateClusteredId(id) : undefined;
  if (clustered !== undefined) throw clustered;
  throw new ServerError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.namespace} index: _id_ dup key: { _id: ${describe(id)} }`,
    { keyPattern: { _id: 1 }, keyValue: { _id: id } },
  );
}

export const insertCommands: readonly Command[] = [insert];
