/* This file lists codes of errors that servers return. It does not load the driver. */

/** Error of a change stream whose next event exceeds the size limit of servers. */
const TOO_LARGE = 10_334;

/**
 * Errors of a change stream that cannot resume, since the source's oplog no longer contains the next entry, or since the
 * source cannot return the next event.
 */
export const HISTORY_LOST: ReadonlySet<unknown> = new Set([286, 222, 280, TOO_LARGE]);

/** Errors of a server that was too slow or too busy, or whose members did not confirm a write in time. */
export const OVERDUE: ReadonlySet<unknown> = new Set([24, 50, 64, 112, 262]);

/** Errors of a shard or a primary that cannot be reached. */
export const UNREACHED: ReadonlySet<unknown> = new Set([133, 134]);

/** Errors about a command that servers do not have. DocumentDB uses the second code. */
export const UNKNOWN_COMMAND: ReadonlySet<unknown> = new Set([59, 115]);

/** Errors of a user who lacks privileges, or who could not log in. */
export const REFUSED: ReadonlySet<unknown> = new Set([13, 18]);

/** Errors of a primary that is missing or steps down. */
export const PASSING: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 189, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/**
 * Returns the code of an error or of the first failed write. If the driver does not convert values, codes are of type
 * Int32.
 */
export function codeOf(error: unknown): number | undefined {
  const { code } = error as { readonly code?: unknown };
  return code === undefined ? undefined : Number(code);
}
