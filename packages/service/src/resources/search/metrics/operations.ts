import { assertCan } from '../../clusters/index.ts';
import {
  measurementsOf,
  type Process,
  type Range,
  rangeOf,
  readMetrics,
  requireDedicatedProcess,
  searchHardwareMetrics,
  searchIndexMetrics,
  searchMeasurements,
  searchStatusMetrics,
  sumsIn,
  type Units,
} from '../../monitoring/index.ts';
import { operation, type Services } from '../../services.ts';
import { findIndexes, requireIndexByName } from '../find.ts';
import { IndexMeasurements, SearchMeasurements, SearchMetrics, searchMetricsQuery } from './schema.ts';

const hardware = new Map(Object.entries(searchHardwareMetrics));
const status = new Map(Object.entries(searchStatusMetrics));
const ofHosts = new Map([...hardware, ...status]);

const defaultQuery = { granularity: 'PT1H', period: 'P1D' };

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
  summary: 'Lists the search metrics that are available for a process.',
  access: 'Project Read Only',
  reply: SearchMetrics,
  status: 200,
  reachedFrom: { process: 'searchMetrics' },
  async handler(call) {
    const { id: processId, cluster } = await requireSearchProcess(call);
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
  summary: 'Returns the metrics of the search threads of a process over time.',
  reply: SearchMeasurements,
  reachedFrom: { searchMetrics: 'measurements' },
  reachedWith: { ...defaultQuery, metrics: 'FTS_DISK_USAGE' },
  query: searchMetricsQuery(ofHosts.keys()),
  async handler(call) {
    const { services, query } = call;
    const process = await requireSearchProcess(call);
    const range = rangeOf(process, query, services.clock.now());
    const metrics = readMetrics(query.metrics, ofHosts);
    const sums = await sumsIn(process, range, { engines: services.engines, read: call.read });
    const of = (kind: ReadonlyMap<string, unknown>) => {
      const own = metrics.filter(([name]) => kind.has(name));
      return measurementsOf(own, sums, { range, cluster: process.cluster });
    };
    return {
      ...headOf(process, range),
      hardwareMeasurements: await of(hardware),
      statusMeasurements: await of(status),
    };
  },
});

export const listIndexMeasurements = operation({
  id: 'listIndexMetrics',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/measurements',
  ...measured,
  summary: 'Returns the combined metrics of all search indexes of a collection over time.',
  reply: IndexMeasurements,
  reachedFrom: { searchIndex: 'measurementsTogether' },
  reachedWith: { ...defaultQuery, metrics: 'INDEX_SIZE_ON_DISK' },
  query: searchMetricsQuery(searchIndexMetrics.keys()),
  async handler(call) {
    const { databaseName: database, collectionName: collection } = call.params;
    const process = await requireSearchProcess(call);
    const all = await findIndexes(inClusterOf(call, process), { database, collection });
    return measurementsOfIndexes(call, process, all);
  },
});

export const getIndexMeasurements = operation({
  id: 'getIndexMetrics',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/{indexName}/measurements',
  ...measured,
  summary: 'Returns the metrics of a search index over time.',
  reply: IndexMeasurements,
  reachedFrom: { searchIndex: 'measurements' },
  reachedWith: { ...defaultQuery, metrics: 'INDEX_SIZE_ON_DISK' },
  query: searchMetricsQuery(searchIndexMetrics.keys()),
  async handler(call) {
    const process = await requireSearchProcess(call);
    return measurementsOfIndexes(call, process, [await requireIndexByName(inClusterOf(call, process))]);
  },
});

type ProcessCall = Parameters<typeof requireDedicatedProcess>[0];

/** Returns the process that a path names. Throws if it cannot have search indexes. */
async function requireSearchProcess(call: ProcessCall): Promise<Process> {
  const process = await requireDedicatedProcess(call);
  assertCan(process.cluster, 'searchMetrics');
  return process;
}

/** Adds the cluster of the process to the parameters of a call. */
function inClusterOf<P extends ProcessCall['params']>(
  call: ProcessCall & { readonly params: P },
  { cluster }: Process,
) {
  const { services, params, read } = call;
  return { services, params: { ...params, clusterName: cluster.name }, read: read.bind(call) as typeof read };
}

interface IndexCall extends ProcessCall {
  readonly services: Services;
  readonly params: ProcessCall['params'] & { readonly databaseName: string; readonly collectionName: string };
  readonly query: Parameters<typeof rangeOf>[1] & { readonly metrics: readonly string[] };
}

async function measurementsOfIndexes(
  call: IndexCall,
  process: Process,
  indexes: ReadonlyArray<{
    readonly row?: { readonly id: string } | undefined;
    readonly found?: { readonly id: string } | undefined;
  }>,
) {
  const { databaseName, collectionName } = call.params;
  // These metrics are aggregated once a minute, so there are no finer points.
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
