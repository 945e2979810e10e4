import type { MemberSample } from '@portolan/engine/interface/engine';
import { Turns } from '@portolan/foundation/turns';
import type { ReadTx } from '../../store/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { allowanceOf } from './figures/allowance.ts';
import type { databaseMetrics } from './figures/databases.ts';
import { intervalOf } from './figures/metrics.ts';
import { addSearchSums, type SearchIndexMetric } from './figures/search-indexes.ts';
import { type Sums, sumOfAll } from './figures/sums.ts';
import type { Metric } from './figures/unmeasured.ts';
import { startOf } from './measured/granularity.ts';
import { measurementsIn, searchesOver } from './measured/rows.ts';
import { readDatabases, readSearches, readSums } from './measured/stored.ts';
import type { Process } from './processes.ts';
import type { Range } from './rules.ts';

/** Values, by the start of the interval to which they belong. */
type Buckets<T> = ReadonlyMap<number, T>;

/**
 * How far before a range, in milliseconds, to look for an earlier sample. The first sample of the range is compared
 * with this earlier sample.
 */
const BEFORE_MS = 60_000;

/** Cost of adding the sums of one row or sample (see `Turns`). */
const ROW_COST = 10;

type Reads = Pick<Services, 'engines'> & { read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> };

/**
 * Returns the sums of one process. Reads them from the store or, for points of ten seconds, from the samples of the
 * host.
 */
export async function sumsIn(process: Process, range: Range, reads: Reads): Promise<Buckets<Sums>> {
  const { cluster, member } = process;
  const { granularity } = range;
  if (granularity.stored === undefined) return sampledIn(process, range, reads);
  const seconds = granularity.stored;
  const rows = await reads.read((tx) =>
    measurementsIn(tx, { clusterId: cluster.id, memberId: member.id, seconds }, range),
  );
  const grouped = Map.groupBy(rows, ({ start }) => startOf(start, granularity.seconds));
  const turns = new Turns();
  const sums = new Map<number, Sums>();
  for (const [start, all] of grouped) {
    sums.set(start, sumOfAll(all.map(({ document }) => readSums(document))));
    await turns.take(ROW_COST * all.length);
  }
  return sums;
}

/** Returns the sums from the samples of the host; empty if the host is unreachable. */
async function sampledIn(
  { cluster, member }: Process,
  { granularity, start, end }: Range,
  { engines }: Reads,
): Promise<Buckets<Sums>> {
  if (!engines.reachable().includes(cluster.host)) return new Map();
  const engine = engines.at(cluster.host);
  const samples = await engine.metrics(cluster.id, member.id, start - BEFORE_MS, end - 1).catch(() => []);
  const allowed = allowanceOf(cluster);
  const found = new Map<number, Sums>();
  const turns = new Turns();
  let before: MemberSample | undefined;
  for (const sample of samples) {
    const sums = intervalOf(before, sample, allowed);
    before = sample;
    if (sample.time < start) continue;
    await turns.take(ROW_COST);
    const at = startOf(sample.time, granularity.seconds);
    const known = found.get(at);
    found.set(at, known === undefined ? sums : sumOfAll([known, sums]));
  }
  return found;
}

/** Returns the points of each metric. An interval without measurements has the value null. */
export function measurementsOf(
  metrics: ReadonlyArray<readonly [string, Metric]>,
  buckets: Buckets<Sums>,
  { range, cluster }: { readonly range: Range; readonly cluster: ClusterModel },
) {
  const allowed = allowanceOf(cluster);
  return inTurns(metrics, ([name, { units, read }]) => ({
    name,
    units,
    dataPoints: points(range, (start) => {
      const sums = buckets.get(start);
      return sums && read?.(sums, allowed);
    }),
  }));
}

/** Like `map`, with pauses for other requests, since a metric can have some thousand points. */
async function inTurns<T, R extends { readonly dataPoints: readonly unknown[] }>(
  values: readonly T[],
  made: (value: T) => R,
): Promise<R[]> {
  const turns = new Turns();
  const all: R[] = [];
  for (const value of values) {
    const one = made(value);
    all.push(one);
    await turns.take(one.dataPoints.length);
  }
  return all;
}

type DatabaseMetric = typeof databaseMetrics extends ReadonlyMap<string, infer M> ? M : never;

/** Returns the metrics of one database of a cluster at the end of each interval. */
export async function databaseMeasurements(
  metrics: ReadonlyArray<readonly [string, DatabaseMetric]>,
  { cluster, name, range }: { readonly cluster: ClusterModel; readonly name: string; readonly range: Range },
  { read: readStore }: Reads,
) {
  const { seconds, stored = seconds } = range.granularity;
  const rows = await readStore((tx) =>
    measurementsIn(tx, { clusterId: cluster.id, memberId: '', seconds: stored }, range),
  );
  // A later row replaces an earlier row of the same interval.
  const last = new Map(rows.map(({ start, document }) => [startOf(start, seconds), document]));
  const sizes = new Map([...last].map(([start, document]) => [start, readDatabases(document)[name]]));
  return inTurns(metrics, ([metric, { units, read }]) => ({
    name: metric,
    units,
    dataPoints: points(range, (start) => {
      const at = sizes.get(start);
      return at && read?.(at);
    }),
  }));
}

/**
 * Returns metrics of several search indexes of a cluster on one process. The values of the indexes are combined into
 * one value for each metric.
 */
export async function searchMeasurements(
  metrics: ReadonlyArray<readonly [string, SearchIndexMetric]>,
  {
    process,
    ids,
    range,
  }: { readonly process: Process; readonly ids: readonly string[]; readonly range: Range },
  { read: readStore }: Pick<Reads, 'read'>,
) {
  const { seconds, stored = seconds } = range.granularity;
  const memberId = searchesOver(process.member.id);
  const rows = await readStore((tx) =>
    measurementsIn(tx, { clusterId: process.cluster.id, memberId, seconds: stored }, range),
  );
  const grouped = Map.groupBy(rows, ({ start }) => startOf(start, seconds));
  const sums = new Map(
    [...grouped].map(([start, all]) => [
      start,
      all.map(({ document }) => readSearches(document)).reduce(addSearchSums),
    ]),
  );
  return inTurns(metrics, ([name, { units, read, combine }]) => ({
    name,
    units,
    dataPoints: points(range, (start) => {
      const at = sums.get(start);
      const values = ids.flatMap((id) => {
        const value = at?.[id] && read(at[id]);
        return value === undefined ? [] : [value];
      });
      return values.length === 0 ? undefined : combine(values);
    }),
  }));
}

function points({ granularity, start, end }: Range, valueAt: (start: number) => number | undefined) {
  const step = granularity.seconds * 1000;
  return Array.from({ length: Math.max(0, Math.round((end - start) / step)) }, (_, place) => {
    const at = start + place * step;
    return { timestamp: new Date(at), value: finite(valueAt(at)) };
  });
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;
