import type { ClusterContext, Command, CommandRequest } from '../command.ts';
import { describe } from '../language/describe.ts';
import { prepareInsert } from '../language/insert.ts';
import { RawDocument } from '../language/raw.ts';
import { nullValue } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { idKey } from '../storage/id-key.ts';
import { command } from './define.ts';
import { checkNamespace, checkNewNamespace, onCollection } from './namespace.ts';
import { batchReply, checkBatch, runStatements } from './statements.ts';

const insert = command({
  name: 'insert',
  privileges: onCollection('insert'),
  writes: true,
  retryable: true,
  fields: {
    insert: 'collection!',
    documents: 'documents!',
    ordered: 'bool',
    bypassDocumentValidation: 'truth',
    stmtId: 'int',
    stmtIds: 'array',
  },
  run({ insert: name, documents, ordered = true }, request, cluster) {
    checkNamespace(request.database, name);
    checkBatch(documents.length);
    let n = 0;
    const insertOne = (document: RawDocument) => {
      const prepared = prepareInsert(document, cluster.newId);
      store(collectionToWrite(request, name, cluster), prepared);
      return inserted;
    };
    const writeErrors = runStatements(request, documents, ordered, insertOne, (outcome) => {
      n += outcome.n;
    });
    return batchReply(request, { n, ...writeErrors });
  },
});

const inserted = { n: 1 };

/** The collection, made when it is not there yet. */
export function collectionToWrite(
  { database }: CommandRequest,
  name: string,
  { store }: ClusterContext,
): Collection {
  const found = store.collection(database, name);
  if (found !== undefined) return found;
  checkNewNamespace(database, name);
  return store.create(database, name, RawDocument.empty);
}

/** Stores a new document; throws `DuplicateKey` when its `_id` is taken. */
export function store(collection: Collection, document: RawDocument): void {
  if (collection.insert(idKey(document), document)) return;
  const id = document.get('_id') ?? nullValue;
  throw new ServerError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.namespace} index: _id_ dup key: { _id: ${describe(id)} }`,
    { keyPattern: { _id: 1 }, keyValue: { _id: id } },
  );
}

export const insertCommands: readonly Command[] = [insert];
