import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest, StatementOutcome } from '../context/request.ts';

const MOST_STATEMENTS = 100_000;

export function checkBatch(statements: number): void {
  if (statements >= 1 && statements <= MOST_STATEMENTS) return;
  throw new ServerError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${statements} operations.`,
  );
}

/**
 * Runs the statements of a write command one by one; `told` takes what each of them did. One that fails ends an
 * ordered command; the answer says which ones failed, and what the others did stays. `together` may run several at
 * once, from an index on: it answers how many, 0 where the next goes by itself.
 */
export function runStatements<T>(
  { retries }: CommandRequest,
  { store: { running } }: Pick<ClusterContext, 'store'>,
  statements: readonly T[],
  ordered: boolean,
  run: (statement: T) => StatementOutcome,
  told: (outcome: StatementOutcome, index: number) => void,
  together: (from: number) => number = () => 0,
): { writeErrors?: object[] } {
  const writeErrors: object[] = [];
  for (let index = 0; index < statements.length; index++) {
    const done = together(index);
    if (done > 0) {
      running.checkNow();
      index += done - 1;
      continue;
    }
    running.check();
    try {
      const statement = statements[index] as T;
      told(retries === undefined ? run(statement) : retries.once(index, () => run(statement)), index);
    } catch (error) {
      if (!(error instanceof ServerError) || failsWhole(error)) throw error;
      const { code, message, more } = error;
      writeErrors.push({ index, code, errmsg: message, ...more });
      if (ordered) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
}

/** A conflict ends the transaction that the statement is part of. */
export function failsWhole({ codeName }: ServerError): boolean {
  return codeName === 'WriteConflict';
}

/** For commands of one statement that answer more than counts: the whole answer is kept. */
export function runOnce({ retries }: CommandRequest, run: () => Reply): Reply {
  if (retries === undefined) return run();
  const { reply = RawDocument.empty } = retries.once(0, () => ({
    n: 1,
    reply: new RawDocument(encodeDocument(run())),
  }));
  const [retriedStmtId] = retries.retried;
  return { ...Object.fromEntries([...reply].map((field) => [field.name, field])), retriedStmtId };
}

/** Refuses a statement that may change many documents in a command that can be sent again. */
export function checkSingle({ retries }: CommandRequest, many: boolean, option: string): void {
  if (retries === undefined || !many) return;
  throw new ServerError('InvalidOptions', `Cannot use (or request) retryable writes with ${option}`);
}

/** The answer to a batch of statements; whoever wants no acknowledgement is not told of errors either. */
export function batchReply(request: CommandRequest, reply: Reply): Reply {
  return request.unacknowledged ? {} : { ...reply, ...retriedIds(request) };
}

/** Which statements had been run before. */
export function retriedIds({ retries }: CommandRequest): Reply {
  return retries === undefined || retries.retried.length === 0 ? {} : { retriedStmtIds: retries.retried };
}
