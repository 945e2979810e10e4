import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { reading } from '../shared/presets.ts';
import { viewAsPipeline } from '../views/explain.ts';
import { type Explained, explainers } from './explain-commands.ts';
import { describePlan, describeRun, type Visited } from './explain-plan.ts';

const verbosities: ReadonlySet<string> = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

/** `find` answers the command of a name, so that its privileges can be asked for. */
export function explainCommand(find: (name: string) => Command | undefined): Command {
  return command({
    name: 'explain',
    ...reading,
    readConcern: 'newest',
    stableApi: true,
    privileges(request) {
      const inner = innerRequest(request);
      const privileges = find(inner.name)?.privileges;
      return typeof privileges === 'function' ? privileges(inner) : [];
    },
    fields: { explain: 'object!', verbosity: 'string' },
    run({ verbosity = 'allPlansExecution' }, request, cluster) {
      if (!verbosities.has(verbosity)) {
        throw new ServerError(
          'BadValue',
          `Enumeration value '${verbosity}' for field 'explain.verbosity' is not a valid value.`,
        );
      }
      const inner = innerRequest(request);
      checkInner(inner, request, find);
      return explain(inner, cluster, verbosity !== 'queryPlanner');
    },
  });
}

function innerRequest(request: CommandRequest): CommandRequest {
  const body = request.body.document('explain') ?? RawDocument.empty;
  const { retries: _retries, ...rest } = request;
  return { ...rest, name: body.first()?.name ?? '', body, sequences: new Map() };
}

function checkInner(
  { name, body }: CommandRequest,
  { database }: CommandRequest,
  find: (name: string) => Command | undefined,
): void {
  if (find(name) === undefined) {
    throw new ServerError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  }
  if (!explainers.has(name)) throw new ServerError('IllegalOperation', `Cannot explain cmd: ${name}`);
  const db = body.get('$db');
  if (db !== undefined && (db.type !== bsonTypes.string || textOf(db) !== database)) {
    throw new ServerError('InvalidNamespace', 'Mismatched $db in explain command');
  }
}

/** What a command would do, or, with `run`, what it has just tried without writing anything. */
export function explain(inner: CommandRequest, cluster: ClusterContext, run: boolean): Reply {
  const asked = viewAsPipeline(inner, cluster) ?? inner;
  const explainer = explainers.get(asked.name);
  if (explainer === undefined) throw new ServerError('IllegalOperation', `Cannot explain cmd: ${inner.name}`);
  const began = cluster.clock.elapsed();
  const explained = explainer(asked, cluster, run);
  const millis = Math.round(cluster.clock.elapsed() - began);
  const planned = {
    queryPlanner: queryPlanner(explained),
    ...(run ? { executionStats: executionStats(explained, millis) } : {}),
  };
  const { stages } = explained;
  return {
    explainVersion: '1',
    ...(stages.length === 0 ? planned : { stages: [{ $cursor: planned }, ...stages] }),
    queryShapeHash: explained.queryShapeHash,
    command: {
      ...Object.fromEntries([...inner.body].map((field) => [field.name, field])),
      $db: inner.database,
    },
    serverInfo: serverInfo(inner, cluster),
  };
}

function queryPlanner({ namespace, filter, planShapeHash, visited }: Explained): object {
  return {
    namespace,
    parsedQuery: filter ?? {},
    indexFilterSet: visited.restricted === true,
    queryHash: planShapeHash,
    planCacheShapeHash: planShapeHash,
    winningPlan: { isCached: false, ...describePlan(visited.top) },
    rejectedPlans: [],
  };
}

function executionStats({ visited }: Explained, executionTimeMillis: number): object {
  const { top, keysExamined, docsExamined }: Visited = visited;
  return {
    executionSuccess: true,
    nReturned: top.nReturned,
    executionTimeMillis,
    totalKeysExamined: keysExamined,
    totalDocsExamined: docsExamined,
    executionStages: { isCached: false, ...describeRun(top) },
  };
}

function serverInfo({ caller }: CommandRequest, { topology: { members, version } }: ClusterContext): object {
  const own = members.find(({ id }) => id === caller.member);
  return { host: own === undefined ? '' : own.host, port: own?.port ?? 0, version, gitVersion: 'unknown' };
}
