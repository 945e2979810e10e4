import { assertCan } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { databaseMetrics } from '../figures/databases.ts';
import { diskMetrics } from '../figures/disk.ts';
import { hostMetrics, tenantMetrics } from '../figures/host.ts';
import { namedMetrics } from '../figures/metrics.ts';
import { PARTITION, requireDatabase, requireMeasuredProcess, requirePartition } from '../parts.ts';
import { databaseMeasurements, measurementsOf, sumsIn } from '../points.ts';
import { isShared, type Process, rangeOf, requireProcess } from '../processes.ts';
import { type Range, readMetrics, readRange } from '../rules.ts';
import { Measurements, measurementQuery } from '../schema.ts';

const ofHosts = namedMetrics(hostMetrics);
const ofShared = namedMetrics(tenantMetrics);
const ofDisks = namedMetrics(diskMetrics);

const measured = {
  access: 'Project Read Only',
  rateLimited: true,
  reply: Measurements,
  status: 200,
  reachedWith: { granularity: 'PT1H', period: 'P1D' },
} as const;

export const getHostMeasurements = operation({
  id: 'getHostMeasurements',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/measurements',
  ...measured,
  summary: 'Returns the metrics of a process over time.',
  reachedFrom: { process: 'measurements' },
  query: measurementQuery(ofHosts.keys()),
  async handler(call) {
    const { services, params, query } = call;
    const process = await call.read((tx) => requireProcess(tx, params, services.naming));
    assertCan(process.cluster, 'measurements');
    const range = rangeOf(process, query, services.clock.now());
    const metrics = readMetrics(query.m, ofHosts, isShared(process) ? ofShared : ofHosts);
    const sums = await sumsIn(process, range, { engines: services.engines, read: call.read });
    const measurements = await measurementsOf(metrics, sums, { range, cluster: process.cluster });
    return { ...headOf(process, range), measurements };
  },
});

export const getDiskMeasurements = operation({
  id: 'getDiskMeasurements',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/disks/{partitionName}/measurements',
  ...measured,
  summary: 'Returns the metrics of a disk over time.',
  reachedFrom: { diskPartition: 'measurements' },
  query: measurementQuery(ofDisks.keys()),
  async handler(call) {
    const { services, params, query } = call;
    const process = await requireMeasuredProcess(call);
    requirePartition(params.partitionName);
    const range = rangeOf(process, query, services.clock.now());
    const metrics = readMetrics(query.m, ofDisks);
    const sums = await sumsIn(process, range, { engines: services.engines, read: call.read });
    const measurements = await measurementsOf(metrics, sums, { range, cluster: process.cluster });
    return { ...headOf(process, range), partitionName: PARTITION, measurements };
  },
});

export const getDatabaseMeasurements = operation({
  id: 'getDatabaseMeasurements',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/databases/{databaseName}/measurements',
  ...measured,
  summary: 'Returns the metrics of a database over time.',
  reachedFrom: { processDatabase: 'measurements' },
  query: measurementQuery(databaseMetrics.keys()),
  async handler(call) {
    const { services, params, query } = call;
    const { databaseName } = params;
    const process = await requireMeasuredProcess(call);
    await requireDatabase(process, call, databaseName);
    const { cluster } = process;
    // Databases are measured once a minute, so there are no finer points.
    const range = readRange(query, { now: services.clock.now(), since: cluster.created, fine: false });
    const metrics = readMetrics(query.m, databaseMetrics);
    const reads = { engines: services.engines, read: call.read };
    const measurements = await databaseMeasurements(metrics, { cluster, name: databaseName, range }, reads);
    return { ...headOf(process, range), databaseName, measurements };
  },
});

function headOf({ id, cluster }: Process, { granularity, start, end }: Range) {
  return {
    ...{ groupId: cluster.groupId, hostId: id, processId: id, granularity: granularity.name },
    ...{ start: new Date(start), end: new Date(end) },
  };
}
