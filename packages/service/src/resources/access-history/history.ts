import type { AccessAttempt, AccessHistoryQuery } from '@portolan/engine/interface/engine';
import { type ClusterModel, hostName } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { recordsOf } from './hosts.ts';
import type { AccessLogs } from './schema.ts';

/** Log-ins to a cluster; `on`: to the nodes that are reached by a name. */
export interface Asked {
  readonly cluster: ClusterModel;
  readonly on?: { readonly host: string; readonly memberIds: readonly string[] };
}

/** The log-ins that fit, the newest first, of all the clusters that are asked for. */
export async function readHistory(
  asked: readonly Asked[],
  query: AccessHistoryQuery,
  services: Services,
): Promise<AccessLogs> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  if (limit === 0) return { accessLogs: [] };
  const found = await Promise.all(asked.map((one) => attemptsOf(one, query, services)));
  const newest = found.flat().sort((one, other) => other.at - one.at);
  return { accessLogs: newest.slice(0, limit).map(({ log }) => log) };
}

async function attemptsOf({ cluster, on }: Asked, query: AccessHistoryQuery, services: Services) {
  const { naming } = services;
  const engine = recordsOf(services, cluster);
  const names = new Map(
    cluster.placement.members.map((member) => [member.id, hostName(cluster, member, naming)]),
  );
  // Members that have gone are known by where they were alone.
  const isThere = (attempt: AccessAttempt) =>
    on === undefined ||
    on.memberIds.includes(attempt.memberId) ||
    (!names.has(attempt.memberId) && [nameOf(attempt), attempt.host].includes(on.host));
  const nameOf = ({ memberId, host: address }: AccessAttempt) =>
    names.get(memberId) ?? address.replace(/:\d+$/, '');
  // Nodes share a history, so those of one host alone are counted here.
  const { limit: _, ...all } = query;
  const attempts = await engine.accessHistory(cluster.id, on === undefined ? query : all);
  return attempts.filter(isThere).map((attempt) => ({
    at: attempt.time,
    log: {
      authResult: attempt.success,
      authSource: attempt.authSource,
      failureReason: attempt.failureReason,
      groupId: cluster.groupId,
      hostname: nameOf(attempt),
      ipAddress: attempt.address,
      logLine: attempt.logLine,
      timestamp: new Date(attempt.time).toISOString(),
      username: attempt.username,
    },
  }));
}
