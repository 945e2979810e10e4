import { createHmac } from 'node:crypto';
import { sameText } from '@portolan/foundation/secret-box';
import { sessionFaults } from './faults.ts';
import type { SessionRow } from './rows.ts';

/**
 * Prefixes of session and link tokens. All tokens of the service begin with `db_`, so that the request inspector can
 * recognize and mask them.
 */
export const SESSION_PREFIX = 'db_session_';
export const LINK_PREFIX = 'db_link_';

/** A session ends when it has not been used for `IDLE_MS`, and at the latest `LONGEST_MS` after its login. */
const IDLE_MS = 3_600_000;
const LONGEST_MS = 12 * IDLE_MS;
/** How long a login link is valid. */
export const LINK_MS = 15 * 60_000;
/** Minimum interval between two stored uses of a session. */
export const USE_INTERVAL_MS = 60_000;

/** Returns when a session ends if it is not used again, and when it ends in any case. Both are in machine time. */
export function endsOf({ created, used }: SessionRow): { readonly idle: number; readonly latest: number } {
  return { idle: used + IDLE_MS, latest: created + LONGEST_MS };
}

export function isOver(row: SessionRow, now: number): boolean {
  const { idle, latest } = endsOf(row);
  return Math.min(idle, latest) <= now;
}

/** Sessions that were created or last used before these times have ended. */
export function endedBefore(now: number) {
  return { now, createdBefore: now - LONGEST_MS, usedBefore: now - IDLE_MS };
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Throws `INVALID_CSRF_TOKEN` for a change without the session's token. */
export function checkCsrfToken(method: string, given: string | undefined, sessionToken: string): void {
  if (!SAFE.has(method) && !sameText(given ?? '', csrfTokenOf(sessionToken)))
    throw sessionFaults.INVALID_CSRF_TOKEN();
}

/** Returns the CSRF token of a session. Pages of other origins cannot read the token, so they cannot send it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}
