import type { CommandRequest, Reply } from '../command.ts';
import { ServerError } from '../server-error.ts';

const MOST_STATEMENTS = 100_000;

export function checkBatch(statements: number): void {
  if (statements >= 1 && statements <= MOST_STATEMENTS) return;
  throw new ServerError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${statements} operations.`,
  );
}

/**
 * Runs the statements of a write command one by one. One that fails ends an ordered command; the answer says which
 * ones failed, and what the others did stays.
 */
export function runStatements<T>(
  statements: readonly T[],
  ordered: boolean,
  run: (statement: T, index: number) => void,
): { writeErrors?: object[] } {
  const writeErrors: object[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { code, message, more } = error;
      writeErrors.push({ index, code, errmsg: message, ...more });
      if (ordered) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
}

/** The answer to a batch of statements; whoever wants no acknowledgement is not told of errors either. */
export function batchReply({ unacknowledged }: CommandRequest, reply: Reply): Reply {
  return unacknowledged ? {} : reply;
}
