import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import { operationKinds } from '../../observe/operation-kinds.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { collectionOf } from '../shared/namespace.ts';
import { type Usage, usageOf } from '../shared/usage.ts';
import { findView } from '../views/view.ts';

/** The commands that count as queries. Other commands that read whole collections, such as `validate`, do not count. */
const queries: ReadonlySet<string> = new Set([
  'aggregate',
  'count',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'mapReduce',
  'update',
]);

/** Wraps a command so that its executions are counted in `top` and in the latency statistics. */
export function counted(command: Command): Command {
  const { variant } = command;
  return {
    ...command,
    ...(variant ? { variant: (request) => counted(variant(request)) } : {}),
    run(request, cluster) {
      const usage = usageOf(cluster);
      const began = cluster.clock.elapsed();
      try {
        return command.run(request, cluster);
      } finally {
        record(usage, request, cluster, command, cluster.clock.elapsed() - began);
      }
    },
  };
}

function record(
  usage: Usage,
  request: CommandRequest,
  { store }: ClusterContext,
  { name: commandName, operation, data }: Command,
  milliseconds: number,
): void {
  const named = request.body.get('collection');
  const inField = operation === 'getmore' && named?.type === bsonTypes.string;
  const name = inField ? textOf(named) : collectionOf(request);
  if (store.collection(request.database, name) === undefined) {
    if (findView(store, request.database, name) === undefined) return;
  }
  const time = Math.max(Math.round(milliseconds * 1000), 1);
  const used = usage.of(`${request.database}.${name}`);
  const lock = data === 'write' ? 'writeLock' : 'readLock';
  for (const event of ['total', lock, operationKinds[operation].usage] as const) used.add(event, time);
  if (!queries.has(commandName) || !readsDocuments(request)) return;
  const { path } = store.running.examined;
  if (typeof path !== 'object' || path.kind !== 'natural') return;
  used.addCollectionScan(request.body.bool('tailable') === true);
}

/**
 * False for an aggregation that begins with a stage such as `$collStats`, which opens a scan but reads no documents.
 */
function readsDocuments({ body }: CommandRequest): boolean {
  const pipeline = body.get('pipeline');
  const stage = pipeline?.type === bsonTypes.array ? entriesOf(pipeline)[0] : undefined;
  if (stage?.type !== bsonTypes.object) return true;
  const source = describeStage(documentOf(stage).first()?.name ?? '')?.source;
  return source === undefined || source === 'input';
}
