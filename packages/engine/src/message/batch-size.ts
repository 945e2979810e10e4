import { ServerError } from '../errors/server-error.ts';

/** Maximum number of statements in a command. */
export const MAX_STATEMENTS = 100_000;

/** Throws unless a command with this number of statements is valid. */
export function checkBatch(statements: number): void {
  if (statements >= 1 && statements <= MAX_STATEMENTS) return;
  throw new ServerError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MAX_STATEMENTS}. Got ${statements} operations.`,
  );
}
