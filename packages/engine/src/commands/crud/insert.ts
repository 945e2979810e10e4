import { describe } from '../../bson/describe.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { prepareInsert } from '../../language/insert.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest, StatementOutcome } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { listOf } from '../shared/field-builders.ts';
import { bypassing, checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { batchReply, checkStatements, runStatements } from '../shared/statements.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { orderMeasurements } from './measurement-order.ts';
import { hasEmptyTimestamp, withTimestamps } from './timestamps.ts';
import { duplicateClusteredId } from './validation/clustered-id.ts';
import { checkInsert } from './validation/rules.ts';
import { checkTarget, targetFields } from './write-target.ts';

const insert = command({
  name: 'insert',
  ...writing,
  operation: 'insert',
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'none',
  privileges: (request) => onCollection('insert', ...bypassing(request))(request),
  fields: {
    insert: 'collection!',
    documents: 'documents!',
    ordered: 'bool',
    bypassDocumentValidation: 'truth',
    bypassEmptyTsReplacement: 'bool',
    stmtId: 'int32',
    stmtIds: listOf('int32'),
    ...targetFields,
  },
  run({ insert: name, documents: given, ordered = true, collectionUUID, ...ids }, request, cluster) {
    checkNamespace(request.database, name);
    checkTarget(name, collectionUUID, request, cluster, 'inserted');
    checkStatements(given.length, ids);
    const documents = inStoredOrder(given, name, request, cluster);
    let n = 0;
    const insertOne = (document: RawDocument) => {
      const prepared = withTimestamps(prepareInsert(document, cluster.random.newId), request, cluster);
      store(collectionToWrite(request, name, cluster), prepared, request, cluster);
      return inserted;
    };
    const countOutcome = (outcome: StatementOutcome) => {
      n += outcome.n;
    };
    let batchEnd = 0;
    const insertBatch = (from: number) => {
      if (from < batchEnd || from + BATCH_SIZE > documents.length) return 0;
      batchEnd = from + BATCH_SIZE;
      if (!insertInOneStatement(name, documents.slice(from, batchEnd), from, request, cluster)) return 0;
      n += BATCH_SIZE;
      return BATCH_SIZE;
    };
    const writeErrors = runStatements(
      request,
      cluster,
      documents,
      ordered,
      insertOne,
      countOutcome,
      insertBatch,
    );
    return batchReply(request, { n, ...writeErrors });
  },
});

const inserted = { n: 1 };

/**
 * Number of documents per SQLite statement. With 32, a document takes half the time of an individual insert.
 * With 64, it would not take less.
 */
const BATCH_SIZE = 32;

/** Returns the documents in the order in which they are stored, which differs from the given one only for measurements. */
function inStoredOrder(
  documents: readonly RawDocument[],
  name: string,
  request: CommandRequest,
  cluster: ClusterContext,
): readonly RawDocument[] {
  if (documents.length < 2) return documents;
  const collection = cluster.store.collection(request.database, name);
  if (!collection?.options.has('timeseries')) return documents;
  const prepared = prepareAll(documents, cluster);
  return prepared === undefined ? documents : orderMeasurements(prepared, collection, request, cluster);
}

/**
 * Inserts documents in one statement. If the documents must be inserted individually, changes nothing and
 * returns false.
 */
function insertInOneStatement(
  name: string,
  documents: readonly RawDocument[],
  from: number,
  request: CommandRequest,
  cluster: ClusterContext,
): boolean {
  const prepared = prepareAll(documents, cluster);
  if (prepared === undefined) return false;
  const collection = collectionToWrite(request, name, cluster);
  if (!collection.options.isEmpty) return false;
  const run = () => collection.insertTogether(prepared);
  const { retries } = request;
  return retries === undefined ? run() : retries.runBatch(from, prepared.length, run);
}

/**
 * Prepares documents for insertion in one statement. Returns undefined if a document is invalid, or if it contains an
 * empty timestamp. Such a timestamp must be replaced by the time of the document's own oplog entry.
 */
function prepareAll(
  documents: readonly RawDocument[],
  { random }: ClusterContext,
): RawDocument[] | undefined {
  const prepared: RawDocument[] = [];
  try {
    for (const document of documents) {
      if (hasEmptyTimestamp(document)) return undefined;
      prepared.push(prepareInsert(document, random.newId));
    }
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
  }
  return prepared;
}

/**
 * Inserts a document. Throws `DuplicateKey` if its `_id` exists, or another error if the collection rejects the
 * document.
 */
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
