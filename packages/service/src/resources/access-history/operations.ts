import { LargeReply } from '../../api/operation.ts';
import { assertCan, requireDedicatedCluster } from '../clusters/index.ts';
import { operation } from '../services.ts';
import { readHistory } from './history.ts';
import { clustersOnHost } from './hosts.ts';
import { readQuery } from './rules.ts';
import { AccessLogQuery, AccessLogs } from './schema.ts';

const common = {
  access: 'Project Monitoring Admin or Database Access Admin',
  rateLimited: true,
  query: AccessLogQuery,
  reply: AccessLogs,
  status: 200,
} as const;

/** Reads histories one after another, since the history of one cluster can take 24 MiB. */
function historyOf(...of: Parameters<typeof readHistory>) {
  for (const { cluster } of of[0]) assertCan(cluster, 'accessHistory');
  return new LargeReply(undefined, () => readHistory(...of));
}

export const listOfCluster = operation({
  id: 'listAccessLogsByClusterName',
  tag: 'Access Tracking',
  method: 'GET',
  path: '/groups/{groupId}/dbAccessHistory/clusters/{clusterName}',
  ...common,
  summary: 'Lists the login attempts on a cluster, newest first.',
  reachedFrom: { cluster: 'accessLogs' },
  async handler(call) {
    const query = readQuery(call.query, call.services.clock.now());
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    return historyOf([{ cluster }], query, call.services);
  },
});

export const listOfHost = operation({
  id: 'listAccessLogsByHostname',
  tag: 'Access Tracking',
  method: 'GET',
  path: '/groups/{groupId}/dbAccessHistory/processes/{hostname}',
  ...common,
  summary: 'Lists the login attempts on the nodes of a host, newest first.',
  reachedFrom: { process: 'accessLogs' },
  async handler(call) {
    const { groupId, hostname } = call.params;
    const { clock, naming } = call.services;
    const query = readQuery(call.query, clock.now());
    const onHost = await call.read((tx) => clustersOnHost(tx, { groupId, host: hostname }, naming));
    const scopes = onHost.map(({ cluster, members }) => ({
      cluster,
      on: { host: hostname, memberIds: members.map(({ id }) => id) },
    }));
    return historyOf(scopes, query, call.services);
  },
});
