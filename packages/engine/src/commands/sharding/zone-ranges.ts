import type { RawDocument } from '../../bson/raw.ts';
import { minKey, string, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { configDocumentsOf, removeConfig, saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { byType, listOf, nested, notNull, required } from '../shared/field-builders.ts';
import { sharding } from '../shared/presets.ts';
import { type Chunk, type Range, replaceChunks } from './chunks.ts';
import { onNamedCollection } from './shard-collection.ts';
import { boundOf, compareKeys, type KeyValues } from './shard-key.ts';
import { requireSharded, type ShardedCollection } from './sharded.ts';
import { shardsOfZone } from './zones-of-shards.ts';

/** This file contains the commands that assign ranges of shard keys to zones. */

/** A range of shard keys, in which `max` is exclusive, and its zone. */
interface ZoneRange {
  readonly min: KeyValues;
  readonly max: KeyValues;
  readonly zone: string;
}

const privileges = onNamedCollection('enableSharding');

/** The name of a zone, or null for no zone. */
const zoneOrNull = required(
  notNull(
    byType(
      { string: textOf, null: () => null },
      () => new ServerError('TypeMismatch', '"zone" must be a string or null'),
    ),
  ),
);

const updateZoneKeyRange = command({
  name: 'updateZoneKeyRange',
  ...sharding,
  audit: 'none',
  privileges,
  fields: { updateZoneKeyRange: 'string!', min: 'object!', max: 'object!', zone: zoneOrNull },
  run({ updateZoneKeyRange: ns, min: low, max: high, zone: tag }, _request, cluster) {
    const collection = requireSharded(cluster, ns);
    const bounds = boundsOf(collection, low, high);
    const overlapping = rangesOf(cluster, ns).filter((range) => {
      const [from, to] = [range.document('min'), range.document('max')];
      if (from === undefined || to === undefined) return false;
      return areOverlapping({ min: filled(collection, from), max: filled(collection, to) }, bounds);
    });
    if (tag === null) {
      for (const range of overlapping) remove(cluster, range);
      return {};
    }
    const shards = requireZone(cluster, tag);
    if (overlapping.some((range) => range.string('tag') !== tag)) throw overlap(ns);
    save(cluster, ns, { ...bounds, zone: tag });
    moveChunks(cluster, collection, [{ ...bounds, shards }]);
    return {};
  },
});

const rangeList = listOf(nested({ min: 'object!', max: 'object!', zone: 'string!' }));

/**
 * Replaces all ranges of a collection. Only Portolan has this command. One `updateZoneKeyRange` for each of the 5,000
 * locations of a global cluster would write and sync each range separately.
 */
const setZoneKeyRanges = command({
  name: 'setZoneKeyRanges',
  ...sharding,
  audit: 'none',
  privileges,
  fields: { setZoneKeyRanges: 'string!', ranges: required(rangeList) },
  run({ setZoneKeyRanges: ns, ranges: given }, _request, cluster) {
    const collection = requireSharded(cluster, ns);
    const ranges = given
      .map(({ min, max, zone }): ZoneRange => ({ ...boundsOf(collection, min, max), zone }))
      .sort((a, b) => compareKeys(a.min, b.min));
    for (const [i, { min }] of ranges.entries()) {
      const before = ranges[i - 1];
      if (before !== undefined && compareKeys(min, before.max) < 0) throw overlap(ns);
    }
    const zones = [...new Set(ranges.map(({ zone }) => zone))];
    const shards = new Map(zones.map((zone) => [zone, requireZone(cluster, zone)]));
    for (const range of outdated(cluster, collection, ns, ranges)) remove(cluster, range);
    for (const range of ranges) save(cluster, ns, range);
    const targets = ranges.map(({ min, max, zone }) => ({ min, max, shards: shards.get(zone) ?? [] }));
    moveChunks(cluster, collection, targets);
    return {};
  },
});

/**
 * Returns the stored ranges that are not in `ranges`. Ranges are compared by their `min`. `ranges` must be in key
 * order.
 */
function outdated(
  cluster: ClusterContext,
  collection: ShardedCollection,
  ns: string,
  ranges: readonly ZoneRange[],
): RawDocument[] {
  const stored = rangesOf(cluster, ns).map((document) => {
    const min = document.document('min');
    return { document, min: min && filled(collection, min) };
  });
  let next = 0;
  const sorted = stored
    .filter(({ min }) => min !== undefined)
    .sort((a, b) => compareKeys(a.min as KeyValues, b.min as KeyValues));
  return sorted
    .filter(({ min = {} }) => {
      while (next < ranges.length && compareKeys((ranges[next] as ZoneRange).min, min) < 0) next++;
      const same = ranges[next];
      return same === undefined || compareKeys(same.min, min) !== 0;
    })
    .map(({ document }) => document);
}

function rangesOf({ store }: ClusterContext, ns: string): RawDocument[] {
  return configDocumentsOf(store, 'tags', string(ns));
}

function save({ store }: ClusterContext, ns: string, { min, max, zone }: ZoneRange): void {
  saveConfig(store, 'tags', { _id: { ns, min }, ns, min, max, tag: zone });
}

function remove({ store }: ClusterContext, range: RawDocument): void {
  const id = range.get('_id');
  if (id !== undefined) removeConfig(store, 'tags', id);
}

function filled({ key }: ShardedCollection, bound: RawDocument): KeyValues {
  return boundOf(key, bound, minKey);
}

function boundsOf(
  collection: ShardedCollection,
  low: RawDocument,
  high: RawDocument,
): Pick<ZoneRange, 'min' | 'max'> {
  const [min, max] = [filled(collection, low), filled(collection, high)];
  if (compareKeys(min, max) >= 0) throw new ServerError('FailedToParse', 'max should be greater than min');
  return { min, max };
}

type Bounds = Pick<ZoneRange, 'min' | 'max'>;

function areOverlapping(a: Bounds, b: Bounds): boolean {
  return compareKeys(a.min, b.max) < 0 && compareKeys(b.min, a.max) < 0;
}

/** Returns the shards of a zone. Throws if it has none. */
function requireZone(cluster: ClusterContext, zone: string): readonly string[] {
  const shards = shardsOfZone(cluster, zone);
  if (shards.length === 0) throw new ServerError('ZoneNotFound', `zone ${zone} does not exist`);
  return shards;
}

function overlap(ns: string): ServerError {
  return new ServerError('RangeOverlapConflict', `Zone range overlaps existing one of ${ns}`);
}

/** A range of keys that belongs to a zone, and the shards of the zone. */
interface Target extends Bounds {
  readonly shards: readonly string[];
}

/**
 * Moves the ranges of zones to their shards. On the server, the balancer moves them in its next rounds. The targets
 * must be in key order.
 */
function moveChunks(
  cluster: ClusterContext,
  { chunks, uuid }: ShardedCollection,
  targets: readonly Target[],
): void {
  const old: Chunk[] = [];
  const replacements: Range[] = [];
  let first = 0;
  for (const chunk of chunks) {
    while (first < targets.length && compareKeys((targets[first] as Target).max, chunk.min) <= 0) first++;
    const parts = partsOf(chunk, targets, first);
    if (parts.every(({ shard }) => shard === chunk.shard)) continue;
    old.push(chunk);
    replacements.push(...parts);
  }
  if (old.length > 0) replaceChunks(cluster, uuid, { all: chunks, old, replacements });
}

/** Splits a chunk at the bounds of the targets. Considers only the targets from the index `first` on. */
function partsOf(chunk: Chunk, targets: readonly Target[], first: number): Range[] {
  const parts: Range[] = [];
  let { min } = chunk;
  const addTo = (max: KeyValues, shard: string) => {
    if (compareKeys(min, max) >= 0) return;
    parts.push({ min, max, shard });
    min = max;
  };
  for (let i = first; i < targets.length; i++) {
    const target = targets[i] as Target;
    if (compareKeys(chunk.max, target.min) <= 0) break;
    if (target.shards.includes(chunk.shard)) continue;
    addTo(target.min, chunk.shard);
    addTo(compareKeys(target.max, chunk.max) < 0 ? target.max : chunk.max, target.shards[0] ?? chunk.shard);
  }
  addTo(chunk.max, chunk.shard);
  return parts;
}

export const rangeCommands: readonly Command[] = [updateZoneKeyRange, setZoneKeyRanges];
