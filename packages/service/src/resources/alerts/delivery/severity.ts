import type { severities } from '../configurations/schema.ts';
import type { Reason } from '../lifecycle/work.ts';

export type Severity = (typeof severities)[number];

/** Somebody cannot work. */
const critical = new Set([
  'NO_PRIMARY',
  'CLUSTER_MONGOS_IS_MISSING',
  'HOST_NOT_ENOUGH_DISK_SPACE',
  'CLUSTER_BLOCK_WRITE',
]);

/** The severity of what a configuration has not given one to: failures are errors, other states warnings. */
export function severityOf(eventType: string, reason: Reason): Severity {
  if (critical.has(eventType)) return 'CRITICAL';
  if (/FAIL|DOWN|CRASH|INVALID|DENIED|NO_LONGER/.test(eventType)) return 'ERROR';
  return reason === 'inform' ? 'INFO' : 'WARNING';
}
