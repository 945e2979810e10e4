import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checkBatch } from '../../message/batch-size.ts';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest, StatementOutcome } from '../context/request.ts';
import { recordingEffects } from './statement-effects.ts';
import { StatementErrors } from './statement-errors.ts';

interface StatementIds {
  readonly stmtId?: number;
  readonly stmtIds?: readonly number[];
}

/** Throws if a command has too many statements, or ids that do not match the number of its statements. */
export function checkStatements(statements: number, { stmtId, stmtIds }: StatementIds): void {
  checkBatch(statements);
  if (stmtIds === undefined) return;
  if (stmtIds.length !== statements) {
    throw new ServerError(
      'InvalidLength',
      'Number of statement ids must match the number of batch entries. ' +
        `Got ${stmtIds.length} statement ids but operation size is ${statements}.`,
    );
  }
  if (stmtId === undefined) return;
  throw new ServerError('InvalidOptions', 'May not specify both stmtId and stmtIds in write command.');
}

/**
 * Runs the statements of a write command, and calls `onOutcome` with the effect of each. If a statement fails, an
 * ordered command, or any command of a transaction, ends. The effects of earlier statements remain, and `writeErrors` lists the failures. Before each
 * statement, `runBatch` is called with the index of the statement. `runBatch` can run several statements at once, and
 * returns their number. If it returns 0, `run` runs the statement alone.
 */
export function runStatements<T>(
  request: CommandRequest,
  cluster: Pick<ClusterContext, 'store' | 'parameters' | 'clock'>,
  statements: readonly T[],
  ordered: boolean,
  run: (statement: T) => StatementOutcome,
  onOutcome: (outcome: StatementOutcome, index: number) => void,
  runBatch: (from: number) => number = () => 0,
): { writeErrors?: object[] } {
  const { retries, transaction } = request;
  const { running } = cluster.store;
  const writeErrors: object[] = [];
  const errors = new StatementErrors();
  const recorded = recordingEffects(request, cluster);
  for (let index = 0; index < statements.length; index++) {
    const done = runBatch(index);
    if (done > 0) {
      running.checkNow();
      index += done - 1;
      continue;
    }
    running.check();
    cluster.store.commitPart();
    try {
      const statement = statements[index] as T;
      // When the statement ends, release the filters and updates that it has compiled.
      const runOne = () => recorded(index, () => running.releasing(() => run(statement)));
      onOutcome(retries === undefined ? runOne() : retries.once(index, runOne), index);
    } catch (error) {
      if (!(error instanceof ServerError) || abortsTransaction(error)) throw error;
      writeErrors.push({ index, ...errors.describe(error) });
      // A failed statement aborts its transaction, so later statements cannot run.
      if (ordered || transaction !== undefined) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
}

/** True for a write conflict. Such an error aborts the whole transaction. */
export function abortsTransaction({ codeName }: ServerError): boolean {
  return codeName === 'WriteConflict';
}

/** Runs a command that has a single statement and whose whole reply is stored for retries. */
export function runOnce({ retries }: CommandRequest, run: () => Reply): Reply {
  if (retries === undefined) return run();
  const { reply = RawDocument.empty } = retries.once(0, () => ({
    n: 1,
    reply: new RawDocument(encodeDocument(run())),
  }));
  const [retriedStmtId] = retries.retried;
  return { ...Object.fromEntries([...reply].map((field) => [field.name, field])), retriedStmtId };
}

/** Throws if a retryable write contains a statement on many documents. */
export function checkSingle({ retries }: CommandRequest, many: boolean, option: string): void {
  if (retries === undefined || !many) return;
  throw new ServerError('InvalidOptions', `Cannot use (or request) retryable writes with ${option}`);
}

/** Returns the reply to several statements. For an unacknowledged write, the reply is empty. */
export function batchReply(request: CommandRequest, reply: Reply): Reply {
  return request.unacknowledged ? {} : { ...reply, ...retriedIds(request) };
}

/** Returns the ids of statements that had already run in an earlier attempt. */
export function retriedIds({ retries }: CommandRequest): Reply {
  return retries === undefined || retries.retried.length === 0 ? {} : { retriedStmtIds: retries.retried };
}
