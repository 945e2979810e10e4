import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { allStored, type Place, readStored, removeStored, writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configOfSet } from './replica-set.ts';

const PLACE: Place = { database: 'local', collection: 'system.replset' };

/**
 * Keeps the configuration of the replica set where members have theirs: helpers of the shell read it there. Where the
 * cluster is sharded, each set has one, as the shards share what they store.
 */
export function storeConfigs({ store, topology }: Pick<ClusterContext, 'store' | 'topology'>): void {
  const configs = (topology.shardNames ?? [topology.replicaSetName]).map((_, shard) =>
    configOfSet(topology, shard),
  );
  const others = allStored(store, PLACE)
    .map((stored) => stored.string('_id') ?? '')
    .filter((id) => configs.every(({ _id }) => _id !== id));
  const changed = configs.filter((config) => {
    const before = readStored(store, PLACE, config._id);
    return !before?.equals(new RawDocument(encodeDocument(config)));
  });
  if (others.length === 0 && changed.length === 0) return;
  store.write(() => {
    for (const id of others) removeStored(store, PLACE, id);
    for (const { _id, ...config } of changed) writeStored(store, PLACE, _id, config);
  });
}
