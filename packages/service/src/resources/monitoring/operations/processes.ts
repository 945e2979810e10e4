import { pageOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import {
  databaseNames,
  PARTITION,
  requireDatabase,
  requireDedicatedProcess,
  requireListedProcess,
  requirePartition,
} from '../parts.ts';
import { deploymentsOf, lastPings, presentProcess, processesIn, requireProcess } from '../processes.ts';
import { Database, DiskPartition, Process } from '../schema.ts';

/** These operations return processes, their databases and their disks. */

const read = { access: 'Project Read Only', status: 200 } as const;

export const listProcesses = operation({
  id: 'listPlatformProcesses',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes',
  ...read,
  summary: 'Lists the processes of a project, sorted by cluster. Each process is a node of a cluster.',
  reply: Process,
  list: 'page',
  reachedFrom: { project: 'processes' },
  async handler(call) {
    const { services, params, page } = call;
    const found = await call.read(async (tx) => {
      const all = pageOf(await processesIn(tx, params.groupId, services.naming), page);
      const clusters = all.results.map(({ cluster }) => cluster);
      return { ...all, clusters, pings: await lastPings(tx, clusters) };
    });
    const { clusters, pings, ...rest } = found;
    const described = await deploymentsOf(services, clusters);
    const results = rest.results.map((one) => presentProcess(one, described.get(one.cluster.id), pings));
    return { ...rest, results };
  },
});

export const getProcess = operation({
  id: 'getPlatformProcess',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}',
  ...read,
  summary: 'Returns one process, which is a node of a cluster.',
  reply: Process,
  async handler(call) {
    const { services, params } = call;
    const { process, pings } = await call.read(async (tx) => {
      const found = await requireProcess(tx, params, services.naming);
      return { process: found, pings: await lastPings(tx, [found.cluster]) };
    });
    const described = await deploymentsOf(services, [process.cluster]);
    return presentProcess(process, described.get(process.cluster.id), pings);
  },
});

export const listDatabases = operation({
  id: 'listDatabases',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/databases',
  ...read,
  summary: 'Lists the databases of a process, sorted by name.',
  reply: Database,
  list: 'page',
  reachedFrom: { process: 'databases' },
  async handler(call) {
    const names = await databaseNames(await requireListedProcess(call), call);
    return pageOf(
      names.map((databaseName) => ({ databaseName })),
      call.page,
    );
  },
});

export const getDatabase = operation({
  id: 'getDatabase',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/databases/{databaseName}',
  ...read,
  summary: 'Returns one database of a process.',
  reply: Database,
  async handler(call) {
    const { databaseName } = call.params;
    await requireDatabase(await requireListedProcess(call), call, databaseName);
    return { databaseName };
  },
});

export const listDisks = operation({
  id: 'listDiskPartitions',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/disks',
  ...read,
  summary: 'Lists the disks of a process. Every process has one disk.',
  reply: DiskPartition,
  list: 'page',
  reachedFrom: { process: 'disks' },
  async handler(call) {
    await requireDedicatedProcess(call);
    return pageOf([{ partitionName: PARTITION }], call.page);
  },
});

export const getDisk = operation({
  id: 'listDiskMeasurements',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/processes/{processId}/disks/{partitionName}',
  ...read,
  summary: 'Returns one disk of a process.',
  reply: DiskPartition,
  async handler(call) {
    const { partitionName } = call.params;
    await requireDedicatedProcess(call);
    requirePartition(partitionName);
    return { partitionName };
  },
});
