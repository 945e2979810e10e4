import { bsonTypes } from '../../bson/bson-types.ts';
import { textOf } from '../../bson/value.ts';
import { operationKinds } from '../../observe/operation-kinds.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { collectionOf } from '../shared/namespace.ts';
import { type Usage, usageOf } from '../shared/usage.ts';
import { findView } from '../views/view.ts';

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
  { operation, data }: Command,
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
}
