import { bsonTypes } from '../../bson/bson-types.ts';
import { textOf } from '../../bson/value.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configDocument } from '../shared/config-database.ts';

/** Returns the zones of a shard. */
export function tagsOf(cluster: ClusterContext, shard: string): string[] {
  const tags = configDocument(cluster.store, 'shards', shard)?.array('tags') ?? [];
  return tags.filter(({ type }) => type === bsonTypes.string).map(textOf);
}

/** Returns the shards of a zone, in the order of their numbers. */
export function shardsOfZone(cluster: ClusterContext, zone: string): string[] {
  return (cluster.topology.shardNames ?? []).filter((shard) => tagsOf(cluster, shard).includes(zone));
}
