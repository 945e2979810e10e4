import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { configDocument, fieldsOf } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { addressOf, membersOfShard } from '../shared/members.ts';
import { inspecting, reading } from '../shared/presets.ts';
import { shardsOf } from './shards.ts';

const listShards = command({
  name: 'listShards',
  ...reading,
  knownOn: 'routers',
  database: 'admin',
  privileges: () => [{ action: 'listShards' }],
  fields: { listShards: 'any' },
  run(_args, _request, cluster) {
    const shards = shardsOf(cluster.topology).map((shard) => {
      const stored = configDocument(cluster.store, 'shards', shard._id);
      return { ...(stored === undefined ? {} : fieldsOf(stored)), ...shard };
    });
    return { shards };
  },
});

const isdbgrid = command({
  name: 'isdbgrid',
  ...reading,
  knownOn: 'routers',
  privileges: 'open',
  fields: { isdbgrid: 'any' },
  run(_args, { caller }, { topology }) {
    const router = topology.members.find(({ id }) => id === caller.member);
    return { isdbgrid: 1, hostname: router === undefined ? '' : addressOf(router) };
  },
});

const getShardMap = command({
  name: 'getShardMap',
  ...inspecting,
  knownOn: 'sharded clusters',
  database: 'admin',
  privileges: () => [{ action: 'getShardMap' }],
  fields: { getShardMap: 'any' },
  run(_args, _request, cluster) {
    const shards = shardsOf(cluster.topology);
    const hosts = shards.flatMap(({ _id }, shard) =>
      membersOfShard(cluster.topology.members, shard).map(
        ({ host, port }) => [`${host}:${port}`, _id] as const,
      ),
    );
    // The first shard is also the config server, which contains the metadata of the cluster.
    const map = Object.fromEntries(shards.map(({ _id, host }) => [_id, host]));
    return { map: { ...map, config: shards[0]?.host }, hosts: Object.fromEntries(hosts), connStrings: {} };
  },
});

const shardingState = command({
  name: 'shardingState',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'shardingState' }],
  fields: { shardingState: 'any' },
  run(_args, { caller }, { topology }) {
    const { shardNames, members } = topology;
    const member = members.find(({ id }) => id === caller.member);
    if (member?.kind === 'router') {
      throw new ServerError('CommandNotFound', "no such command: 'shardingState'");
    }
    if (shardNames === undefined) return { enabled: false };
    const configServer = shardsOf(topology)[0]?.host;
    return { enabled: true, configServer, shardName: shardNames[member?.shard ?? 0], versions: {} };
  },
});

const flushRouterConfig = command({
  name: 'flushRouterConfig',
  ...reading,
  knownOn: 'routers',
  database: 'admin',
  privileges: () => [{ action: 'flushRouterConfig' }],
  fields: { flushRouterConfig: 'any' },
  run: () => ({ flushed: true }),
});

export const shardListCommands: readonly Command[] = [
  listShards,
  isdbgrid,
  getShardMap,
  shardingState,
  flushRouterConfig,
];
