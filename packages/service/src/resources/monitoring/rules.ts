import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../api/faults.ts';
import { clusterFaults, SMALLEST_DEDICATED } from '../clusters/index.ts';
import { type Granularity, granularities, startOf } from './measured/granularity.ts';

export const monitoringFaults = faults({
  INVALID_GRANULARITY: [400, 'The granularity {0} is not one that this process is measured in.'],
  INVALID_PERIOD: [400, 'The period {0} is not a duration in ISO 8601 form.'],
  INVALID_METRIC_NAME: [404, 'No metric named {0} exists here.'],
  HOSTNAME_AND_PORT_NOT_FOUND: [404, 'No process {0} exists in project {1}.'],
});

/** What a request asks for. Times are service time, milliseconds since 1970; `end` does not count. */
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

/** Of the sizes that are measured every ten seconds the smallest (behaviour reference 10: "larger sizes"). */
export const FINE_SIZE = 40;

/**
 * The times that are answered: whole ones of the granularity, none that is older than it is kept or than `since`, when
 * the cluster was made.
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
  const asked = datesOf(query, now);
  const oldest = Math.max(now.getTime() - retentionSeconds * 1000, since.getTime());
  const start = startOf(Math.max(asked.start.getTime(), oldest), seconds);
  const last = Math.min(asked.end.getTime(), now.getTime());
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

/** So long before `now`: `PT36H`, `P1M`. */
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

/** The metrics that are asked for, out of those that there are; `told` are fewer, of shared sizes. */
export function readMetrics<M>(
  asked: readonly string[] | undefined,
  all: ReadonlyMap<string, M>,
  told: ReadonlyMap<string, M> = all,
): ReadonlyArray<readonly [string, M]> {
  if (asked === undefined) return [...told];
  return [...new Set(asked)].map((name) => {
    const metric = told.get(name);
    if (metric !== undefined) return [name, metric];
    if (all.has(name)) throw clusterFaults.INSUFFICIENT_INSTANCE_SIZE(SMALLEST_DEDICATED);
    throw monitoringFaults.INVALID_METRIC_NAME(name);
  });
}
