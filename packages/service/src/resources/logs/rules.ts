import type { LogName } from '@portolan/engine/interface/engine';
import { generalFaults } from '../../api/faults.ts';
import type { PlacedMember } from '../clusters/index.ts';
import type { LogQuery } from './schema.ts';

interface NamedLog {
  readonly log: LogName;
  /** Whether routers write the log. All other logs are written by data nodes. */
  readonly routers: boolean;
}

/** Logs by their name in paths. Some logs have two names. */
const logs: Readonly<Record<string, NamedLog>> = {
  db: { log: 'db', routers: false },
  mongodb: { log: 'db', routers: false },
  mongos: { log: 'db', routers: true },
  'db-audit-log': { log: 'db-audit-log', routers: false },
  'mongodb-audit-log': { log: 'db-audit-log', routers: false },
  'mongos-audit-log': { log: 'db-audit-log', routers: true },
};

/**
 * Returns the log with this name, and a predicate that selects the members that write the log. Throws for an unknown
 * name.
 */
export function findLog(name: string): { log: LogName; isWritten: (by: PlacedMember) => boolean } {
  const named = Object.hasOwn(logs, name) ? logs[name] : undefined;
  if (named === undefined) throw generalFaults.INVALID_PATH_PARAMETER('logName');
  const { log, routers } = named;
  return { log, isWritten: ({ id }) => id.startsWith('router-') === routers };
}

const DAY_S = 86_400;

/** Returns the range in milliseconds since 1970. The range includes the whole first and last second. */
export function readRange({ startDate, endDate }: LogQuery, now: Date): { from: number; to: number } {
  const end = endDate ?? Math.floor(now.getTime() / 1000);
  const start = startDate ?? end - DAY_S;
  if (start > end) throw generalFaults.INVALID_DATE_RANGE(iso(start), iso(end));
  return { from: start * 1000, to: end * 1000 + 999 };
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
