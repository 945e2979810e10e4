import { bsonTypes } from '../../bson/bson-types.ts';
import { minKey, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import {
  configDocument,
  configDocuments,
  fieldsOf,
  removeConfig,
  saveConfig,
} from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { sharding } from '../shared/presets.ts';
import { replaceChunks } from './chunks.ts';
import { onNamedCollection } from './shard-collection.ts';
import { boundOf, compareKeys, type KeyValues } from './shard-key.ts';
import { requireSharded } from './sharded.ts';
import { shardNamed } from './shards.ts';

/**
 * This file contains the commands on zones, which are named groups of shards with the key ranges assigned to them.
 */

const onShards = (action: string) => () => [{ action, database: 'config', collection: 'shards' }];

function tagsOf(cluster: ClusterContext, shard: string): string[] {
  const tags = configDocument(cluster.store, 'shards', shard)?.array('tags') ?? [];
  return tags.filter(({ type }) => type === bsonTypes.string).map(textOf);
}

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

function shardsOfZone(cluster: ClusterContext, zone: string): string[] {
  return (cluster.topology.shardNames ?? []).filter((shard) => tagsOf(cluster, shard).includes(zone));
}

const updateZoneKeyRange = command({
  name: 'updateZoneKeyRange',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('enableSharding'),
  fields: { updateZoneKeyRange: 'string!', min: 'object!', max: 'object!', zone: 'value!' },
  run({ updateZoneKeyRange: ns, min: low, max: high, zone }, _request, cluster) {
    const collection = requireSharded(cluster, ns);
    const [min, max] = [boundOf(collection.key, low, minKey), boundOf(collection.key, high, minKey)];
    if (compareKeys(min, max) >= 0) throw new ServerError('FailedToParse', 'max should be greater than min');
    const overlapping = configDocuments(cluster.store, 'tags').filter((range) => {
      const [from, to] = [range.document('min'), range.document('max')];
      if (range.string('ns') !== ns || from === undefined || to === undefined) return false;
      return (
        compareKeys(boundOf(collection.key, from, minKey), max) < 0 &&
        compareKeys(min, boundOf(collection.key, to, minKey)) < 0
      );
    });
    const id = { ns, min };
    if (zone.type === bsonTypes.null) {
      for (const range of overlapping) {
        const rangeId = range.get('_id');
        if (rangeId !== undefined) removeConfig(cluster.store, 'tags', rangeId);
      }
      return {};
    }
    if (zone.type !== bsonTypes.string)
      throw new ServerError('TypeMismatch', '"zone" must be a string or null');
    const tag = textOf(zone);
    const [shard] = shardsOfZone(cluster, tag);
    if (shard === undefined) throw new ServerError('ZoneNotFound', `zone ${tag} does not exist`);
    if (overlapping.some((range) => range.string('tag') !== tag)) {
      throw new ServerError('RangeOverlapConflict', `Zone range overlaps existing one of ${ns}`);
    }
    saveConfig(cluster.store, 'tags', { _id: id, ns, min, max, tag });
    moveChunksToZone(cluster, ns, { min, max }, shardsOfZone(cluster, tag));
    return {};
  },
});

/** Moves the ranges of a zone to its shards. On the server, the balancer moves them in its next round. */
function moveChunksToZone(
  cluster: ClusterContext,
  namespace: string,
  zone: { readonly min: KeyValues; readonly max: KeyValues },
  shards: readonly string[],
): void {
  const { chunks, uuid } = requireSharded(cluster, namespace);
  const touched = chunks.filter(
    ({ min, max, shard }) =>
      compareKeys(min, zone.max) < 0 && compareKeys(zone.min, max) < 0 && !shards.includes(shard),
  );
  const replacements = touched.flatMap((chunk) => {
    const from = compareKeys(chunk.min, zone.min) < 0 ? zone.min : chunk.min;
    const to = compareKeys(zone.max, chunk.max) < 0 ? zone.max : chunk.max;
    return [
      { min: chunk.min, max: from, shard: chunk.shard },
      { min: from, max: to, shard: shards[0] ?? chunk.shard },
      { min: to, max: chunk.max, shard: chunk.shard },
    ].filter((part) => compareKeys(part.min, part.max) < 0);
  });
  if (touched.length > 0) replaceChunks(cluster, uuid, { all: chunks, old: touched, replacements });
}

export const zoneCommands: readonly Command[] = [addShardToZone, removeShardFromZone, updateZoneKeyRange];
