import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { configDocument, fieldsOf, saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { reading, sharding } from '../shared/presets.ts';
import { onNamed } from './shard-collection.ts';
import { sharded } from './sharded.ts';

/**
 * The balancer's state. All shards of a cluster share one store, so nothing grows too large on one of them and no
 * round ever has anything to move by itself; zones and `moveChunk` move ranges.
 */

const BALANCER = 'balancer';
const settings = (action: string) => () => [{ action, database: 'config', collection: 'settings' }];

function modeOf(cluster: ClusterContext): string {
  return configDocument(cluster.store, 'settings', BALANCER)?.string('mode') ?? 'full';
}

function turn(cluster: ClusterContext, mode: 'full' | 'off'): object {
  const before = configDocument(cluster.store, 'settings', BALANCER);
  const kept = before === undefined ? {} : fieldsOf(before);
  saveConfig(cluster.store, 'settings', { ...kept, _id: BALANCER, mode, stopped: mode === 'off' });
  return {};
}

const balancerStart = command({
  name: 'balancerStart',
  ...sharding,
  audit: 'nothing',
  privileges: settings('update'),
  fields: { balancerStart: 'any', maxTimeMS: 'any' },
  run: (_args, _request, cluster) => ({ ...turn(cluster, 'full') }),
});

const balancerStop = command({
  name: 'balancerStop',
  ...sharding,
  audit: 'nothing',
  privileges: settings('update'),
  fields: { balancerStop: 'any', maxTimeMS: 'any' },
  run: (_args, _request, cluster) => ({ ...turn(cluster, 'off') }),
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
  privileges: onNamed('enableSharding'),
  fields: { balancerCollectionStatus: 'string!' },
  run({ balancerCollectionStatus: namespace }, _request, cluster) {
    sharded(cluster, namespace);
    return { chunkSize: 128, balancerCompliant: true };
  },
});

const configureCollectionBalancing = command({
  name: 'configureCollectionBalancing',
  ...sharding,
  audit: 'nothing',
  privileges: onNamed('enableSharding'),
  fields: {
    configureCollectionBalancing: 'string!',
    chunkSize: 'number',
    defragmentCollection: 'bool',
    enableAutoMerger: 'bool',
    enableBalancing: 'bool',
  },
  run({ configureCollectionBalancing: namespace, enableBalancing, enableAutoMerger }, _request, cluster) {
    const { document } = sharded(cluster, namespace);
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
