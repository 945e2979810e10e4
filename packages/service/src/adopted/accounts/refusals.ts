const USER_EXISTS = 51003;
const ROLE_EXISTS = 51002;
const USER_NOT_FOUND = 11;
const ROLE_NOT_FOUND = 31;

/**
 * Codes of temporary errors: no primary, an election, a shutdown, a time limit, a conflict, or a write that has not
 * reached the majority yet.
 */
const passing: ReadonlySet<unknown> = new Set([
  ...[6, 7, 24, 50, 64, 89, 91, 100, 112, 117, 189, 262, 9001],
  ...[10_107, 11_600, 11_602, 13_435, 13_436],
]);

interface ServerError extends Error {
  readonly code?: unknown;
}

/** Returns why a server has refused a command; undefined if the command may succeed when it is repeated. */
export function refusalIn(error: unknown): string | undefined {
  const { name, message, code } = error as ServerError;
  return name === 'MongoServerError' && !passing.has(code) ? message : undefined;
}

/** Whether a server has refused to create an account because it exists. */
export function isTaken(error: unknown): boolean {
  const { code } = error as ServerError;
  return code === USER_EXISTS || code === ROLE_EXISTS;
}

/** Whether a server has refused to drop an account because it does not exist. */
export function isMissing(error: unknown): boolean {
  const { code } = error as ServerError;
  return code === USER_NOT_FOUND || code === ROLE_NOT_FOUND;
}
