import {
  dedicated,
  measurementsOf,
  type Process,
  type Range,
  rangeOf,
  readMetrics,
  searchHardwareMetrics,
  searchIndexMetrics,
  searchMeasurements,
  searchStatusMetrics,
  sumsIn,
  type Units,
} from '../../monitoring/index.ts';
import { operation, type Services } from '../../services.ts';
import { knownByName, knownIn } from '../find.ts';
import { IndexMeasurements, SearchMeasurements, SearchMetrics, searchMetricsQuery } from './schema.ts';

const hardware = new Map(Object.entries(searchHardwareMetrics));
const status = new Map(Object.entries(searchStatusMetrics));
const ofHosts = new Map([...hardware, ...status]);

const asked = { granularity: 'PT1H', period: 'P1D' };

const measured = {
  access: 'Project Read Only',
  rateLimited: true,
  status: 200,
} as const;

export const listMetricTypes = operation({
  id: 'listMetricTypes',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics',
  summary: 'Lists the metrics of searches that a process has.',
  access: 'Project Read Only',
  reply: SearchMetrics,
  status: 200,
  reachedFrom: { process: 'searchMetrics' },
  async handler(call) {
    const { id: processId, cluster } = await dedicated(call);
    return {
      groupId: cluster.groupId,
      hardwareMetrics: listed(hardware),
      indexMetrics: listed(searchIndexMetrics),
      processId,
      statusMetrics: listed(status),
    };
  },
});

export const getSearchMeasurements = operation({
  id: 'getMeasurements',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics/measurements',
  ...measured,
  summary: 'Answers how the metrics of what builds and searches for a process have gone.',
  reply: SearchMeasurements,
  reachedFrom: { searchMetrics: 'measurements' },
  reachedWith: { ...asked, metrics: 'FTS_DISK_USAGE' },
  query: searchMetricsQuery(ofHosts.keys()),
  async handler(call) {
    const { services, query } = call;
    const process = await dedicated(call);
    const range = rangeOf(process, query, services.clock.now());
    const metrics = readMetrics(query.metrics, ofHosts);
    const sums = await sumsIn(process, range, { engines: services.engines, read: call.read });
    const of = (kind: ReadonlyMap<string, unknown>) => {
      const own = metrics.filter(([name]) => kind.has(name));
      return measurementsOf(own, sums, { range, cluster: process.cluster });
    };
    return {
      ...headOf(process, range),
      hardwareMeasurements: of(hardware),
      statusMeasurements: of(status),
    };
  },
});

export const listIndexMeasurements = operation({
  id: 'listIndexMetrics',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/measurements',
  ...measured,
  summary: 'Answers how the metrics of all search indexes of a collection have gone, put together.',
  reply: IndexMeasurements,
  reachedFrom: { searchIndex: 'measurementsTogether' },
  reachedWith: { ...asked, metrics: 'INDEX_SIZE_ON_DISK' },
  query: searchMetricsQuery(searchIndexMetrics.keys()),
  async handler(call) {
    const { databaseName: database, collectionName: collection } = call.params;
    const process = await dedicated(call);
    const all = await knownIn(inClusterOf(call, process), { database, collection });
    return measurementsOfIndexes(call, process, all);
  },
});

export const getIndexMeasurements = operation({
  id: 'getIndexMetrics',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/{indexName}/measurements',
  ...measured,
  summary: 'Answers how the metrics of a search index have gone.',
  reply: IndexMeasurements,
  reachedFrom: { searchIndex: 'measurements' },
  reachedWith: { ...asked, metrics: 'INDEX_SIZE_ON_DISK' },
  query: searchMetricsQuery(searchIndexMetrics.keys()),
  async handler(call) {
    const process = await dedicated(call);
    return measurementsOfIndexes(call, process, [await knownByName(inClusterOf(call, process))]);
  },
});

type Reading = Parameters<typeof dedicated>[0];

/** The call as one about the cluster of the process. */
function inClusterOf<P extends Reading['params']>(
  call: Reading & { readonly params: P },
  { cluster }: Process,
) {
  const { services, params, read } = call;
  return { services, params: { ...params, clusterName: cluster.name }, read: read.bind(call) as typeof read };
}

interface AskedIndexes extends Reading {
  readonly services: Services;
  readonly params: Reading['params'] & { readonly databaseName: string; readonly collectionName: string };
  readonly query: Parameters<typeof rangeOf>[1] & { readonly metrics: readonly string[] };
}

async function measurementsOfIndexes(
  call: AskedIndexes,
  process: Process,
  indexes: ReadonlyArray<{
    readonly row?: { readonly id: string } | undefined;
    readonly found?: { readonly id: string } | undefined;
  }>,
) {
  const { databaseName, collectionName } = call.params;
  // They are put together once a minute.
  const range = rangeOf(process, call.query, call.services.clock.now(), false);
  const metrics = readMetrics(call.query.metrics, searchIndexMetrics);
  const indexIds = indexes.flatMap(({ row, found }) => (row ?? found)?.id ?? []);
  return {
    ...headOf(process, range),
    collectionName,
    databaseName,
    indexIds,
    indexStatsMeasurements: await searchMeasurements(metrics, { process, ids: indexIds, range }, call),
  };
}

function listed(metrics: ReadonlyMap<string, { readonly units: Units }>) {
  return [...metrics].map(([metricName, { units }]) => ({ metricName, units }));
}

function headOf({ id, cluster }: Process, { granularity, start, end }: Range) {
  return {
    ...{ groupId: cluster.groupId, processId: id, granularity: granularity.name },
    ...{ start: new Date(start), end: new Date(end) },
  };
}
