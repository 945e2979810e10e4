import { clustersIn, hostName, requireCluster, requireDedicated } from '../clusters/index.ts';
import { operation } from '../services.ts';
import { readHistory } from './history.ts';
import { accessHistoryFaults, readQuery } from './rules.ts';
import { AccessLogQuery, AccessLogs } from './schema.ts';

const common = {
  access: 'Project Monitoring Admin or Database Access Admin',
  rateLimited: true,
  query: AccessLogQuery,
  reply: AccessLogs,
  status: 200,
} as const;

export const listOfCluster = operation('listAccessLogsByClusterName', {
  ...common,
  summary: 'Lists who has tried to log in to a cluster, the newest first.',
  reachedFrom: { cluster: 'accessLogs' },
  async handler(call) {
    const query = readQuery(call.query, call.services.clock.now());
    const cluster = await call.read((tx) => requireCluster(tx, call.params));
    requireDedicated(cluster);
    return readHistory([{ cluster }], query, call.services);
  },
});

export const listOfHost = operation('listAccessLogsByHostname', {
  ...common,
  summary: 'Lists who has tried to log in to the nodes on a host, the newest first.',
  reachedFrom: { process: 'accessLogs' },
  async handler(call) {
    const { groupId, hostname } = call.params;
    const { clock, naming } = call.services;
    const query = readQuery(call.query, clock.now());
    const clusters = await call.read((tx) => clustersIn(tx, groupId));
    const there = clusters.filter((cluster) =>
      cluster.placement.members.some((member) => hostName(cluster, member, naming) === hostname),
    );
    if (there.length === 0) throw accessHistoryFaults.HOST_NOT_FOUND(hostname, groupId);
    const dedicated = there.filter(({ spec }) => !spec.tenant);
    if (dedicated.length === 0) for (const cluster of there) requireDedicated(cluster);
    const asked = dedicated.map((cluster) => ({ cluster, host: hostname }));
    return readHistory(asked, query, call.services);
  },
});
