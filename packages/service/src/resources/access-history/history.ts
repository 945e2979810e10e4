import type { AccessAttempt, AccessHistoryQuery } from '@portolan/engine/interface/engine';
import { Turns } from '@portolan/foundation/turns';
import { wholeSeconds } from '../../api/dates.ts';
import { type ClusterModel, hostName } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { logEngineOf } from './hosts.ts';
import type { AccessLogs } from './schema.ts';

/** The cluster whose logins are read. If `on` is set, only logins at nodes with this host name are read. */
export interface LogInScope {
  readonly cluster: ClusterModel;
  readonly on?: { readonly host: string; readonly memberIds: readonly string[] };
}

/**
 * Returns the matching logins of all given clusters, newest first. Reads one cluster after another to save memory: the
 * history of one cluster can take 24 MiB.
 */
export async function readHistory(
  scopes: readonly LogInScope[],
  query: AccessHistoryQuery,
  services: Services,
): Promise<AccessLogs> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  if (limit === 0) return { accessLogs: [] };
  let newest: Login[] = [];
  for (const scope of scopes) {
    const found = await attemptsOf(scope, query, services);
    newest = newest
      .concat(found)
      .sort((one, other) => other.at - one.at)
      .slice(0, limit);
  }
  return { accessLogs: newest.map(({ log }) => log) };
}

interface Login {
  readonly at: number;
  readonly log: AccessLogs['accessLogs'][number];
}

async function attemptsOf(
  { cluster, on }: LogInScope,
  query: AccessHistoryQuery,
  services: Services,
): Promise<Login[]> {
  const { naming } = services;
  const engine = logEngineOf(services, cluster);
  const names = new Map(
    cluster.placement.members.map((member) => [member.id, hostName(cluster, member, naming)]),
  );
  // If the node of an attempt no longer exists, compare its last known address.
  const isThere = (attempt: AccessAttempt) =>
    on === undefined ||
    on.memberIds.includes(attempt.memberId) ||
    (!names.has(attempt.memberId) && [nameOf(attempt), attempt.host].includes(on.host));
  const nameOf = ({ memberId, host: address }: AccessAttempt) =>
    names.get(memberId) ?? address.replace(/:\d+$/, '');
  // The nodes of a cluster share one history. If only one host is requested, the limit applies after the logins of this
  // host are selected.
  const { limit: _, ...all } = query;
  const attempts = await engine.accessHistory(cluster.id, on === undefined ? query : all);
  const turns = new Turns();
  const found: Login[] = [];
  for (const attempt of attempts) {
    // Let other requests run: the history can contain tens of thousands of logins.
    await turns.take(1);
    if (!isThere(attempt)) continue;
    found.push({ at: attempt.time, log: presentLog(attempt, cluster, nameOf(attempt)) });
  }
  return found;
}

function presentLog(attempt: AccessAttempt, { groupId }: ClusterModel, hostname: string) {
  return {
    authResult: attempt.success,
    authSource: attempt.authSource,
    failureReason: attempt.failureReason,
    groupId,
    hostname,
    ipAddress: attempt.address,
    logLine: attempt.logLine,
    timestamp: wholeSeconds(new Date(attempt.time)),
    username: attempt.username,
  };
}
