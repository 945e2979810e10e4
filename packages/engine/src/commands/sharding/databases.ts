import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configDocument, configDocuments, newUuid, saveConfig } from '../shared/config-database.ts';
import { shardsOf } from './shards.ts';

/**
 * Assigns a database to the named shard. Without a name, keeps the shard of the database, or chooses the shard with
 * the fewest databases. Must be called within `store.write`.
 */
export function placeDatabase(cluster: ClusterContext, database: string, shard?: string): string {
  const { store } = cluster;
  const known = configDocument(store, 'databases', database);
  const primary = shard ?? known?.string('primary') ?? leastLoadedShard(cluster);
  if (known?.string('primary') === primary) return primary;
  const version = {
    uuid: known?.document('version')?.get('uuid') ?? newUuid(cluster.random),
    timestamp: timestampAt(store.oplog.last),
    lastMod: (known?.document('version')?.int('lastMod') ?? 0) + 1,
  };
  saveConfig(store, 'databases', { _id: database, primary, version });
  return primary;
}

function leastLoadedShard(cluster: ClusterContext): string {
  const placed = configDocuments(cluster.store, 'databases').map((document) => document.string('primary'));
  const load = (name: string) => placed.filter((primary) => primary === name).length;
  const [first] = shardsOf(cluster.topology).toSorted((a, b) => load(a._id) - load(b._id));
  return first?._id ?? '';
}
