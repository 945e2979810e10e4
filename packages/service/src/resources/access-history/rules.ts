import { isIPv4 } from 'node:net';
import type { AccessHistoryQuery } from '@portolan/engine/interface/engine';
import { generalFaults } from '../../api/faults.ts';
import type { AccessLogQuery } from './schema.ts';

/** Retention of recorded logins (docs/contract/clusters.md 8). */
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** Translates a request into an engine query. Throws for an invalid range. */
export function readQuery(query: AccessLogQuery, now: Date): AccessHistoryQuery {
  const { start, end, authResult, ipAddress, nLogs } = query;
  if (start === undefined && end !== undefined) throw generalFaults.MISSING_ATTRIBUTE('start');
  if (end === undefined && start !== undefined) throw generalFaults.MISSING_ATTRIBUTE('end');
  if (start !== undefined && end !== undefined && start > end) {
    throw generalFaults.INVALID_DATE_RANGE(iso(start), iso(end));
  }
  if (ipAddress !== undefined && !isIPv4(ipAddress)) {
    throw generalFaults.INVALID_QUERY_PARAMETER('ipAddress');
  }
  const oldest = now.getTime() - KEPT_DAYS * DAY_MS;
  return {
    from: Math.max(start ?? oldest, oldest),
    ...(end === undefined ? {} : { to: end }),
    ...(authResult === undefined ? {} : { success: authResult }),
    ...(ipAddress === undefined ? {} : { address: ipAddress }),
    ...(nLogs === undefined ? {} : { limit: nLogs }),
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
