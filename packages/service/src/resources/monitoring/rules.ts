import { generalFaults } from '../../api/faults.ts';
import { clusterFaults, SMALLEST_DEDICATED } from '../clusters/index.ts';
import { monitoringFaults } from './faults.ts';
import { type Granularity, granularities, startOf } from './measured/granularity.ts';

/** A requested range. Times are service time in milliseconds since 1970; `end` is exclusive. */
export interface Range {
  readonly granularity: Granularity;
  readonly start: number;
  readonly end: number;
}

export interface RangeQuery {
  readonly granularity: string;
  readonly period?: string | undefined;
  readonly start?: string | Date | undefined;
  readonly end?: string | Date | undefined;
}

/**
 * The number of the smallest size whose processes have a point every ten seconds (docs/contract/clusters.md 10: "larger
 * sizes").
 */
export const SMALLEST_TEN_SECOND_SIZE = 40;

/**
 * Extends the requested range to whole intervals of the granularity. Restricts it to the retention, and to the time
 * after `since`, when the cluster was created.
 */
export function readRange(
  query: RangeQuery,
  { now, since, fine }: { now: Date; since: Date; fine: boolean },
): Range {
  const granularity = granularities.get(query.granularity);
  if (granularity === undefined || (granularity.name === 'PT10S' && !fine)) {
    throw monitoringFaults.INVALID_GRANULARITY(query.granularity);
  }
  const { seconds, retentionSeconds } = granularity;
  const requested = datesOf(query, now);
  const oldest = Math.max(now.getTime() - retentionSeconds * 1000, since.getTime());
  const start = startOf(Math.max(requested.start.getTime(), oldest), seconds);
  const last = Math.min(requested.end.getTime(), now.getTime());
  return { granularity, start, end: Math.max(startOf(last - 1, seconds) + seconds * 1000, start) };
}

function datesOf({ period, start, end }: RangeQuery, now: Date): { start: Date; end: Date } {
  if (period !== undefined) {
    const other = start === undefined ? (end === undefined ? undefined : 'end') : 'start';
    if (other !== undefined) throw generalFaults.MUTUALLY_EXCLUSIVE_QUERY_PARAMETERS('period', other);
    return { start: before(now, period), end: now };
  }
  if (start === undefined && end === undefined) throw generalFaults.MISSING_QUERY_PARAMETER('period');
  if (start === undefined) throw generalFaults.MISSING_QUERY_PARAMETER('start');
  if (end === undefined) throw generalFaults.MISSING_QUERY_PARAMETER('end');
  const dates = { start: new Date(start), end: new Date(end) };
  if (dates.start > dates.end) {
    throw generalFaults.INVALID_DATE_RANGE(dates.start.toISOString(), dates.end.toISOString());
  }
  return dates;
}

const PERIOD =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/** Returns `now` minus an ISO 8601 duration such as `PT36H` or `P1M`. */
function before(now: Date, period: string): Date {
  const found = PERIOD.exec(period);
  if (found === null) throw monitoringFaults.INVALID_PERIOD(period);
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part = '0') => Number(part));
  const date = new Date(now);
  date.setUTCMonth(date.getUTCMonth() - months - years * 12);
  return new Date(
    date.getTime() - (((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds) * 1000,
  );
}

/**
 * Returns the requested metrics; by default, all metrics. `available` are the metrics that exist for the size of the
 * cluster. Throws INSUFFICIENT_INSTANCE_SIZE or INVALID_METRIC_NAME.
 */
export function readMetrics<M>(
  requested: readonly string[] | undefined,
  all: ReadonlyMap<string, M>,
  available: ReadonlyMap<string, M> = all,
): ReadonlyArray<readonly [string, M]> {
  if (requested === undefined) return [...available];
  return [...new Set(requested)].map((name) => {
    const metric = available.get(name);
    if (metric !== undefined) return [name, metric];
    if (all.has(name)) throw clusterFaults.INSUFFICIENT_INSTANCE_SIZE(SMALLEST_DEDICATED);
    throw monitoringFaults.INVALID_METRIC_NAME(name);
  });
}
