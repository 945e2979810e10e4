import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { configDocument, configDocuments, fieldsOf, saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { sharding } from '../shared/presets.ts';
import { shardNamed } from './shards.ts';
import { rangeCommands } from './zone-ranges.ts';
import { shardsOfZone, tagsOf } from './zones-of-shards.ts';

/**
 * This file contains the commands on zones, which are named groups of shards with the key ranges assigned to them.
 */

const onShards = (action: string) => () => [{ action, database: 'config', collection: 'shards' }];

function saveTags(cluster: ClusterContext, shard: string, tags: readonly string[]): void {
  const before = configDocument(cluster.store, 'shards', shard);
  if (before === undefined) return;
  const { tags: _, ...fields } = fieldsOf(before);
  saveConfig(cluster.store, 'shards', tags.length === 0 ? fields : { ...fields, tags });
}

const addShardToZone = command({
  name: 'addShardToZone',
  ...sharding,
  audit: 'none',
  privileges: onShards('update'),
  fields: { addShardToZone: 'string!', zone: 'string!' },
  run({ addShardToZone: name, zone }, _request, cluster) {
    const { _id } = shardNamed(name, cluster.topology);
    saveTags(cluster, _id, [...new Set([...tagsOf(cluster, _id), zone])]);
    return {};
  },
});

const removeShardFromZone = command({
  name: 'removeShardFromZone',
  ...sharding,
  audit: 'none',
  privileges: onShards('update'),
  fields: { removeShardFromZone: 'string!', zone: 'string!' },
  run({ removeShardFromZone: name, zone }, _request, cluster) {
    const { _id } = shardNamed(name, cluster.topology);
    const others = shardsOfZone(cluster, zone).filter((shard) => shard !== _id);
    const used = configDocuments(cluster.store, 'tags').some((range) => range.string('tag') === zone);
    if (used && others.length === 0) {
      throw new ServerError('ZoneStillInUse', `Shard ${_id} is the last of zone ${zone}, which has ranges`);
    }
    saveTags(
      cluster,
      _id,
      tagsOf(cluster, _id).filter((tag) => tag !== zone),
    );
    return {};
  },
});

export const zoneCommands: readonly Command[] = [addShardToZone, removeShardFromZone, ...rangeCommands];
