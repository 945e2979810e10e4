import type { ClusterModel } from '../../clusters/index.ts';

/**
 * This file computes the snapshot schedules of flex clusters and serverless instances. Callers cannot change these
 * schedules.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A flex cluster keeps its last eight daily snapshots (docs/contract/clusters.md 3.8). */
const FLEX_DAYS = 8;
/** The retention of daily snapshots of a serverless instance with continuous backup (docs/contract/clusters.md 3.8). */
const CONTINUOUS_DAYS = 35;
const SERVERLESS_DAYS = 2;

interface DueSnapshot {
  readonly due: Date;
  readonly frequency: 'hourly' | 'daily';
  /** The retention in days from the due time. */
  readonly days: number;
}

/** Returns the interval between two snapshots in milliseconds; undefined for clusters with a configurable schedule. */
export function intervalOf({ spec }: Pick<ClusterModel, 'spec'>): number | undefined {
  if (spec.kind === 'flex' || spec.kind === 'flexBySize') return DAY_MS;
  return spec.kind === 'serverless' ? 6 * HOUR_MS : undefined;
}

/** Returns the first due time after `after`. Intervals start at the creation of the cluster. */
export function nextDue(cluster: Pick<ClusterModel, 'created' | 'spec'>, after: Date): Date | undefined {
  const interval = intervalOf(cluster);
  if (interval === undefined) return undefined;
  const start = cluster.created.getTime();
  const passed = Math.max(0, Math.floor((after.getTime() - start) / interval));
  return new Date(start + (passed + 1) * interval);
}

/** Returns the snapshots that became due from `from` to `now`, without those that have already expired at `now`. */
export function occurrences(
  cluster: Pick<ClusterModel, 'created' | 'spec'>,
  from: Date,
  now: Date,
): DueSnapshot[] {
  const interval = intervalOf(cluster);
  if (interval === undefined) return [];
  const earliest = Math.max(from.getTime(), now.getTime() - CONTINUOUS_DAYS * DAY_MS);
  const found: DueSnapshot[] = [];
  let due = nextDue(cluster, new Date(earliest - 1));
  while (due !== undefined && due <= now) {
    const one = occurrence(cluster, due);
    if (due.getTime() + one.days * DAY_MS > now.getTime()) found.push(one);
    due = nextDue(cluster, due);
  }
  return found;
}

function occurrence({ created, spec }: Pick<ClusterModel, 'created' | 'spec'>, due: Date): DueSnapshot {
  if (spec.kind !== 'serverless') return { due, frequency: 'daily', days: FLEX_DAYS };
  const isDaily = (due.getTime() - created.getTime()) % DAY_MS === 0;
  const continuous = spec.settings.serverlessBackupOptions?.serverlessContinuousBackupEnabled ?? true;
  if (isDaily) return { due, frequency: 'daily', days: continuous ? CONTINUOUS_DAYS : SERVERLESS_DAYS };
  return { due, frequency: 'hourly', days: SERVERLESS_DAYS };
}
