import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { configDocument, fieldsOf, saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { reading, sharding } from '../shared/presets.ts';
import { onNamedCollection } from './shard-collection.ts';
import { requireSharded } from './sharded.ts';

/**
 * This file contains the commands on the balancer. All shards share one store, so there is nothing to balance. Only
 * zones and `moveChunk` move ranges.
 */

const BALANCER = 'balancer';
const settings = (action: string) => () => [{ action, database: 'config', collection: 'settings' }];

function modeOf(cluster: ClusterContext): string {
  return configDocument(cluster.store, 'settings', BALANCER)?.string('mode') ?? 'full';
}

function setMode(cluster: ClusterContext, mode: 'full' | 'off'): object {
  const before = configDocument(cluster.store, 'settings', BALANCER);
  const stored = before === undefined ? {} : fieldsOf(before);
  saveConfig(cluster.store, 'settings', { ...stored, _id: BALANCER, mode, stopped: mode === 'off' });
  return {};
}

const balancerStart = command({
  name: 'balancerStart',
  ...sharding,
  audit: 'none',
  privileges: settings('update'),
  fields: { balancerStart: 'any', maxTimeMS: 'any' },
  run: (_args, _request, cluster) => ({ ...setMode(cluster, 'full') }),
});

const balancerStop = command({
  name: 'balancerStop',
  ...sharding,
  audit: 'none',
  privileges: settings('update'),
  fields: { balancerStop: 'any', maxTimeMS: 'any' },
  run: (_args, _request, cluster) => ({ ...setMode(cluster, 'off') }),
});

const balancerStatus = command({
  name: 'balancerStatus',
  ...reading,
  knownOn: 'routers',
  database: 'admin',
  privileges: settings('find'),
  fields: { balancerStatus: 'any' },
  run: (_args, _request, cluster) => ({
    mode: modeOf(cluster),
    inBalancerRound: false,
    numBalancerRounds: 0n,
    term: BigInt(cluster.topology.term),
  }),
});

const balancerCollectionStatus = command({
  name: 'balancerCollectionStatus',
  ...reading,
  knownOn: 'routers',
  database: 'admin',
  privileges: onNamedCollection('enableSharding'),
  fields: { balancerCollectionStatus: 'string!' },
  run({ balancerCollectionStatus: namespace }, _request, cluster) {
    requireSharded(cluster, namespace);
    return { chunkSize: 128, balancerCompliant: true };
  },
});

const configureCollectionBalancing = command({
  name: 'configureCollectionBalancing',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('enableSharding'),
  fields: {
    configureCollectionBalancing: 'string!',
    chunkSize: 'int',
    defragmentCollection: 'bool',
    enableAutoMerger: 'bool',
    enableBalancing: 'bool',
  },
  run({ configureCollectionBalancing: namespace, enableBalancing, enableAutoMerger }, _request, cluster) {
    const { document } = requireSharded(cluster, namespace);
    saveConfig(cluster.store, 'collections', {
      ...fieldsOf(document),
      ...(enableBalancing === undefined ? {} : { noBalance: !enableBalancing }),
      ...(enableAutoMerger === undefined ? {} : { enableAutoMerge: enableAutoMerger }),
    });
    return {};
  },
});

export const balancerCommands: readonly Command[] = [
  balancerStart,
  balancerStop,
  balancerStatus,
  balancerCollectionStatus,
  configureCollectionBalancing,
];
