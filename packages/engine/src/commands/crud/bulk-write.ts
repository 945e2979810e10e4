import { Double } from 'bson';
import type { Privilege } from '../../access/privilege.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { BULK_WRITE_NAMESPACE } from '../../interface/namespaces.ts';
import type { Environment } from '../../language/environment.ts';
import { prepareInsert } from '../../language/insert.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest, StatementOutcome } from '../context/request.ts';
import { checkTransactionDatabase } from '../generic/transaction.ts';
import { cursorOptions } from '../shared/cursor-options.ts';
import { command } from '../shared/define.ts';
import { environmentOf, systemVariablesOf } from '../shared/environment.ts';
import { listOf } from '../shared/field-builders.ts';
import { bypassing } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { StatementErrors } from '../shared/statement-errors.ts';
import { abortsTransaction, checkSingle, checkStatements, retriedIds } from '../shared/statements.ts';
import { checkUuid } from '../shared/uuid.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { collectionIn } from '../views/view.ts';
import { type Operation, readOperations } from './bulk-operations.ts';
import { removeMatches } from './delete.ts';
import { store } from './insert.ts';
import { withTimestamps } from './timestamps.ts';
import { runUpdate } from './update.ts';
import { checkTarget } from './write-target.ts';

const bulkWrite = command({
  name: 'bulkWrite',
  ...writing,
  operation: 'bulk',
  database: 'admin',
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'none',
  privileges: privilegesToWrite,
  fields: {
    bulkWrite: 'value!',
    ops: 'documents!',
    nsInfo: 'documents!',
    ordered: 'bool',
    bypassDocumentValidation: 'truth',
    bypassEmptyTsReplacement: 'bool',
    errorsOnly: 'bool',
    cursor: cursorOptions,
    let: 'object',
    stmtId: 'int32',
    stmtIds: listOf('int32'),
  },
  run({ ops, nsInfo, ordered = true, errorsOnly = false, cursor, let: variables, ...ids }, request, cluster) {
    const environment = environmentOf(variables, cluster);
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ?? {};
    checkStatements(ops.length, ids);
    const operations = readOperations(ops, nsInfo);
    if (request.transaction !== undefined) checkTargets(operations, request, cluster);
    const counts = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const errors = new StatementErrors();
    const operationReplies: RawDocument[] = [];
    for (const [idx, operation] of operations.entries()) {
      cluster.store.commitPart();
      const reply = runOne(operation, idx, { request, cluster, environment, errors }, counts);
      const failed = 'code' in reply;
      if (!failed && errorsOnly) continue;
      operationReplies.push(
        new RawDocument(encodeDocument({ ok: new Double(failed ? 0 : 1), idx, ...reply })),
      );
      // A failed operation aborts its transaction, so later operations cannot run.
      if (failed && (ordered || request.transaction !== undefined)) break;
    }
    // The reply to an unacknowledged command contains counts, but no results of single operations.
    const replies = request.unacknowledged ? [] : operationReplies;
    const results = new DocumentResults(replies.values(), undefined, replies.length);
    return {
      ...firstBatch(results, { namespace: BULK_WRITE_NAMESPACE, batchSize }, request, cluster),
      ...counts,
      ...retriedIds(request),
    };
  },
});

function checkTargets(
  operations: readonly Operation[],
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  for (const { kind, target } of operations) {
    checkTransactionDatabase(target.database);
    const there = { ...request, database: target.database };
    checkTarget(target.collection, undefined, there, cluster, kind === 'insert' ? 'inserted' : 'changed');
  }
}

function privilegesToWrite(request: CommandRequest): readonly Privilege[] {
  const { body, sequences } = request;
  const ops = sequences.get('ops') ?? body.documents('ops') ?? [];
  const nsInfo = sequences.get('nsInfo') ?? body.documents('nsInfo');
  if (nsInfo === undefined) return [];
  return readOperations(ops, nsInfo).flatMap((operation) => {
    const upserts = operation.kind === 'update' && operation.statement.upsert === true;
    const actions = [actionOf[operation.kind], ...(upserts ? ['insert'] : []), ...bypassing(request)];
    const { database, collection } = operation.target;
    return actions.map((action) => ({ action, database, collection }));
  });
}

const actionOf = { insert: 'insert', update: 'update', delete: 'remove' } as const;

type Counts = Record<'nErrors' | 'nInserted' | 'nMatched' | 'nModified' | 'nUpserted' | 'nDeleted', number>;

interface Execution {
  readonly request: CommandRequest;
  readonly cluster: ClusterContext;
  readonly environment: Environment;
  readonly errors: StatementErrors;
}

type OperationReply = Readonly<Record<string, unknown>>;

/** Runs one operation. Returns its entry in the cursor of the reply, without the number of the operation. */
function runOne(operation: Operation, index: number, execution: Execution, counts: Counts): OperationReply {
  const { request, cluster, environment, errors } = execution;
  const there = { ...request, database: operation.target.database };
  // Unlike in other commands, `$$NOW` is evaluated for each operation.
  const own = { ...environment, system: systemVariablesOf(cluster) };
  const run = () =>
    cluster.store.running.releasing(() =>
      runOperation(operation, { ...execution, request: there, environment: own }),
    );
  try {
    return report(operation.kind, request.retries?.once(index, run) ?? run(), counts);
  } catch (error) {
    if (!(error instanceof ServerError) || abortsTransaction(error)) throw error;
    counts.nErrors++;
    return { ...errors.describe(error), n: 0, ...(operation.kind === 'update' ? { nModified: 0 } : {}) };
  }
}

function runOperation(operation: Operation, { request, cluster, environment }: Execution): StatementOutcome {
  const { database, collection, uuid } = operation.target;
  checkUuid(uuid, database, collection, cluster.store);
  switch (operation.kind) {
    case 'insert': {
      const prepared = withTimestamps(
        prepareInsert(operation.document, cluster.random.newId),
        request,
        cluster,
      );
      store(collectionToWrite(request, collection, cluster), prepared, request, cluster);
      return { n: 1 };
    }
    case 'update': {
      const { statement } = operation;
      checkSingle(request, statement.multi === true, 'multi=true');
      const { matched: n, ...outcome } = runUpdate(collection, statement, request, cluster, environment);
      return { n, ...outcome };
    }
    case 'delete':
      checkSingle(request, operation.statement.limit === 0, 'limit=0');
      return {
        n: removeMatches(collectionIn(cluster.store, database, collection), operation.statement, environment),
      };
  }
}

function report(
  kind: Operation['kind'],
  { n, modified = 0, upserted }: StatementOutcome,
  counts: Counts,
): OperationReply {
  if (kind === 'insert') counts.nInserted += n;
  if (kind === 'delete') counts.nDeleted += n;
  if (kind !== 'update') return { n };
  if (upserted === undefined) counts.nMatched += n;
  else counts.nUpserted++;
  counts.nModified += modified;
  return { n, nModified: modified, ...(upserted === undefined ? {} : { upserted: { _id: upserted } }) };
}

export const bulkWriteCommands: readonly Command[] = [bulkWrite];
