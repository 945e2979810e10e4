import Type from 'typebox';
import type { LargeReply } from '../../api/operation.ts';
import type { ReadTx } from '../../store/index.ts';
import { logEngineOf } from '../access-history/index.ts';
import { assertCan } from '../clusters/index.ts';
import { type Process, requireDedicatedProcess } from '../monitoring/index.ts';
import { extension, type Services } from '../services.ts';
import { inTurn } from './in-turn.ts';
import { isUserData, newestSlowQueries } from './log-lines.ts';
import { periodOf } from './period.ts';
import { presentMetrics } from './present.ts';
import { isThresholdManaged, manageThreshold } from './rows.ts';
import {
  MAX_LINES,
  PeriodQuery,
  SlowNamespaces,
  SlowQueries,
  SlowQueryLogQuery,
  SuggestedIndexes,
  SuggestionQuery,
} from './schema.ts';
import type { SlowQuery } from './slow-query.ts';
import { suggestionsFor } from './suggest.ts';

const tag = 'Performance Advisor';
const PATH = '/groups/{groupId}/processes/{processId}/performanceAdvisor';
/** Requires a data access role, since log lines contain values of documents. */
const read = { tag, method: 'GET', access: 'Project Data Access Read Only', status: 200 } as const;

export const getManagedThreshold = extension({
  id: 'getManagedSlowMs',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/managedSlowMs',
  summary:
    'Returns whether the service chooses the threshold above which operations in a project count as slow.',
  access: 'Project Read Only',
  reply: Type.Boolean(),
  status: 200,
  handler: (call) => call.read((tx) => isThresholdManaged(tx, call.params.groupId)),
});

export const enableManagedThreshold = extension({
  id: 'enableManagedSlowMs',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/managedSlowMs/enable',
  summary:
    'Lets the service choose the threshold above which operations count as slow. The service always chooses 100 ms.',
  access: 'Project Owner',
  status: 204,
  handler: (call) => call.write((tx) => manageThreshold(tx, call.params.groupId, true)),
});

export const disableManagedThreshold = extension({
  id: 'disableManagedSlowMs',
  tag,
  method: 'DELETE',
  path: '/groups/{groupId}/managedSlowMs/disable',
  summary: 'Sets a fixed threshold for slow operations: operations that take 100 ms or longer count as slow.',
  access: 'Project Owner',
  status: 204,
  handler: (call) => call.write((tx) => manageThreshold(tx, call.params.groupId, false)),
});

interface SlowQueryCall {
  readonly services: Services;
  readonly params: { readonly groupId: string; readonly processId: string };
  readonly query: PeriodQuery & { readonly namespaces?: readonly string[]; readonly nLogs?: number };
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
}

/** Replies with what `make` returns for a process and its newest slow operations in a period, oldest first. */
async function fromSlowQueries<T>(
  call: SlowQueryCall,
  make: (queries: readonly SlowQuery[], process: Process) => T | Promise<T>,
): Promise<LargeReply<T>> {
  const { services, query } = call;
  const process = await requireDedicatedProcess(call);
  const { from, to } = periodOf(query, services.clock.now());
  const { cluster, member } = process;
  assertCan(cluster, 'logs');
  const { namespaces } = query;
  const isWanted = ({ namespace }: SlowQuery) => namespaces?.includes(namespace) ?? isUserData(namespace);
  return inTurn(async () => {
    const log = logEngineOf(services, cluster).logs(cluster.id, member.id, 'db', from, to);
    return make(await newestSlowQueries(log, query.nLogs ?? MAX_LINES, isWanted), process);
  });
}

export const listNamespaces = extension({
  id: 'listSlowQueryNamespaces',
  ...read,
  path: `${PATH}/namespaces`,
  summary: 'Lists the namespaces with slow operations on a process, sorted by name.',
  query: PeriodQuery,
  reply: SlowNamespaces,
  handler: (call) =>
    fromSlowQueries(call, (queries) => {
      const names = [...new Set(queries.map(({ namespace }) => namespace))].sort();
      return { namespaces: names.map((namespace) => ({ namespace, type: 'collection' as const })) };
    }),
});

export const listSlowQueries = extension({
  id: 'listSlowQueries',
  ...read,
  path: `${PATH}/slowQueryLogs`,
  summary: 'Returns the log lines of slow operations on a process, oldest first.',
  query: SlowQueryLogQuery,
  reply: SlowQueries,
  async handler(call) {
    const { includeMetrics, includeReplicaState, includeOpType } = call.query;
    return fromSlowQueries(call, async (queries, process) => {
      const replicaState = includeReplicaState ? await stateOf(call.services, process) : undefined;
      return {
        slowQueries: queries.map((query) => ({
          line: query.line,
          namespace: query.namespace,
          ...(includeMetrics && { metrics: presentMetrics(query) }),
          ...(includeOpType && { opType: Object.keys(query.command)[0] ?? 'command' }),
          ...(replicaState !== undefined && { replicaState }),
        })),
      };
    });
  },
});

async function stateOf({ engines }: Services, { cluster, member }: Process): Promise<string> {
  const deployment = await engines.at(cluster.host).describe(cluster.id);
  return deployment?.primaries.includes(member.id) ? 'PRIMARY' : 'SECONDARY';
}

export const suggestIndexes = extension({
  id: 'listSuggestedIndexes',
  ...read,
  path: `${PATH}/suggestedIndexes`,
  summary: 'Suggests indexes for the slow operations on a process.',
  query: SuggestionQuery,
  reply: SuggestedIndexes,
  handler: (call) =>
    fromSlowQueries(call, (queries, { cluster }) =>
      suggestionsFor(call.services, cluster, queries, call.query),
    ),
});
