import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import {
  allStored,
  type CollectionName,
  readStored,
  removeStored,
  writeStored,
} from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configOfSet } from './replica-set.ts';

const CONFIGURATION: CollectionName = { database: 'local', collection: 'system.replset' };

/**
 * Stores the replica set configuration in `local.system.replset`, because shell helpers read it there. A
 * sharded cluster has a single store, which contains one document per replica set.
 */
export function storeConfigs({ store, topology }: Pick<ClusterContext, 'store' | 'topology'>): void {
  const configs = (topology.shardNames ?? [topology.replicaSetName]).map((_, shard) =>
    configOfSet(topology, shard),
  );
  const others = allStored(store, CONFIGURATION)
    .map((stored) => stored.string('_id') ?? '')
    .filter((id) => configs.every(({ _id }) => _id !== id));
  const changed = configs.filter((config) => {
    const before = readStored(store, CONFIGURATION, config._id);
    return !before?.equals(new RawDocument(encodeDocument(config)));
  });
  if (others.length === 0 && changed.length === 0) return;
  store.write(() => {
    for (const id of others) removeStored(store, CONFIGURATION, id);
    for (const { _id, ...config } of changed) writeStored(store, CONFIGURATION, _id, config);
  });
}
