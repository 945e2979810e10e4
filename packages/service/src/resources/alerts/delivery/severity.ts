import type { severities } from '../configurations/schema.ts';
import type { Reason } from './rows.ts';

export type Severity = (typeof severities)[number];

/** States in which clients cannot use the database. */
const critical = new Set([
  'NO_PRIMARY',
  'CLUSTER_MONGOS_IS_MISSING',
  'HOST_NOT_ENOUGH_DISK_SPACE',
  'CLUSTER_BLOCK_WRITE',
]);

/**
 * Returns the default severity: CRITICAL for the states above, ERROR for other failures, INFO for one-time
 * events, and WARNING for other states.
 */
export function severityOf(eventType: string, reason: Reason): Severity {
  if (critical.has(eventType)) return 'CRITICAL';
  if (/FAIL|DOWN|CRASH|INVALID|DENIED|NO_LONGER/.test(eventType)) return 'ERROR';
  return reason === 'inform' ? 'INFO' : 'WARNING';
}
