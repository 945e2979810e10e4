import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Download } from '../../api/operation.ts';
import type { ReadTx } from '../../store/index.ts';
import { clustersOnHost, logEngineOf } from '../access-history/index.ts';
import { assertCan, clustersIn } from '../clusters/index.ts';
import { type HostNaming, operation } from '../services.ts';
import { logFaults } from './faults.ts';
import { mergeLogs } from './merge.ts';
import { findLog, readRange } from './rules.ts';
import { LogQuery } from './schema.ts';

export const getHostLogs = operation({
  id: 'getHostLogs',
  tag: 'Monitoring and Logs',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{hostName}/logs/{logName}.gz',
  versions: { '2023-02-01': 'same', '2025-03-12': 'same' },
  summary: 'Returns the log of the nodes on a host, oldest lines first, compressed with gzip.',
  access: 'Project Data Access Read Only',
  query: LogQuery,
  bytes: 'gzip',
  reachedFrom: { process: 'logs' },
  status: 200,
  async handler(call) {
    const { groupId, hostName, logName } = call.params;
    const { services } = call;
    const { from, to } = readRange(call.query, services.clock.now());
    const { log, isWritten } = findLog(logName);
    const there = await call.read((tx) => nodesOn(tx, groupId, hostName, services.naming));
    for (const { cluster } of there) assertCan(cluster, log === 'db' ? 'logs' : 'auditing');
    const sources = there.map((one) => ({ ...one, engine: logEngineOf(services, one.cluster) }));
    const logs = sources.flatMap(({ cluster, members, engine }) =>
      members.filter(isWritten).map((member) => engine.logs(cluster.id, member.id, log, from, to)),
    );
    const text = Readable.from(mergeLogs(logs));
    // The callback ignores errors, because the stream reports them to its reader.
    return new Download(pipeline(text, createGzip(), () => {}));
  },
});

async function nodesOn(tx: ReadTx, groupId: string, host: string, naming: HostNaming) {
  const clusters = await clustersIn(tx, groupId);
  const unplaced = clusters.find(({ name, placement }) => name === host && placement.members.length === 0);
  if (unplaced) throw logFaults.CLUSTER_HOSTNAMES_UNAVAILABLE(unplaced.name);
  return clustersOnHost(tx, { groupId, host }, naming);
}
