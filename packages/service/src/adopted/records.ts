import type { AccessAttempt, AccessHistoryQuery } from '@portolan/engine/interface/engine';
import type { Document } from 'mongodb';

/**
 * This file reads the logs of servers. A server keeps its last lines in memory and returns them by `getLog`.
 */

interface LogLine {
  readonly t?: { readonly $date?: string };
  readonly c?: string;
  readonly id?: number;
  readonly attr?: Document;
}

function read(line: string): { readonly time: number; readonly entry: LogLine } | undefined {
  try {
    const entry = JSON.parse(line) as LogLine;
    const time = Date.parse(entry.t?.$date ?? '');
    return Number.isNaN(time) ? undefined : { time, entry };
  } catch {
    // The server truncates lines that exceed its limit, so they are not valid JSON.
    return undefined;
  }
}

/** Servers keep 1,024 lines in memory. */
const MAX_LINES = 10_000;

/** Returns the lines in the reply to `getLog`. */
export function logLines({ log }: Document): readonly string[] {
  const lines: readonly unknown[] = Array.isArray(log) ? log : [];
  return lines.slice(-MAX_LINES).filter((line) => typeof line === 'string');
}

/** Returns the lines of a time range. */
export function linesIn(lines: readonly string[], from: number, to: number): string[] {
  return lines.filter((line) => {
    const time = read(line)?.time;
    return time !== undefined && time >= from && time <= to;
  });
}

/**
 * Log ids of successful and of failed logins. In each set, the first id is for versions from 6.0 on, the
 * second for older versions.
 */
const succeeded: ReadonlySet<unknown> = new Set([5_286_306, 20_250]);
const failed: ReadonlySet<unknown> = new Set([5_286_307, 20_249]);

/** Returns the login that a line reports, if any. */
export function attemptIn(
  line: string,
  { memberId, host }: Pick<AccessAttempt, 'memberId' | 'host'>,
): AccessAttempt | undefined {
  const found = read(line);
  if (found === undefined) return undefined;
  const { id, attr = {} } = found.entry;
  const success = succeeded.has(id);
  if (!success && !failed.has(id)) return undefined;
  const { user, principalName, db, authenticationDatabase, mechanism, client, remote, error } = attr;
  return {
    time: found.time,
    success,
    username: String(user ?? principalName ?? ''),
    authSource: String(db ?? authenticationDatabase ?? ''),
    mechanism: String(mechanism ?? ''),
    address: String(client ?? remote ?? '').replace(/:\d+$/, ''),
    ...{ memberId, host },
    failureReason: success ? null : String(error ?? 'AuthenticationFailed'),
    logLine: line,
  };
}

const MOST = 20_000;

/** Returns the attempts that a query selects, newest first. */
export function selected(
  attempts: readonly AccessAttempt[],
  { from = 0, to = Number.POSITIVE_INFINITY, success, address, memberId, limit = MOST }: AccessHistoryQuery,
): AccessAttempt[] {
  return attempts
    .filter((one) => one.time >= from && one.time <= to)
    .filter((one) => success === undefined || one.success === success)
    .filter((one) => address === undefined || one.address === address)
    .filter((one) => memberId === undefined || one.memberId === memberId)
    .toSorted((one, other) => other.time - one.time)
    .slice(0, limit);
}
