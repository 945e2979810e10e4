import type { TSchema } from 'typebox';
import type { ReleaseDate } from '../../../api/versions.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { type EntryKind, type ShapeName, shapeOf, shapesByExpressiveness } from '../model/expressible.ts';
import { clusterFaults } from '../model/faults.ts';
import { carryBody } from './carried.ts';
import { ShardsCluster, ZonesCluster } from './region-configs/schema.ts';
import { writeRegionConfigs } from './region-configs/write.ts';
import { NewShardsCluster, NewZonesCluster } from './required.ts';

/** The shape of each version. The oldest and the newest version both have the contract's shape. */
const shapes: { readonly [Date in ReleaseDate]?: 'contract' | EntryKind } = {
  '2023-01-01': 'contract',
  '2023-02-01': 'zones',
  '2024-08-05': 'shards',
  '2024-10-23': 'shards',
  '2025-03-12': 'contract',
};

const zones = { reply: ZonesCluster, write: writeRegionConfigs('zones') };
const shards = { reply: ShardsCluster, write: writeRegionConfigs('shards') };

export const readVersions = {
  '2023-01-01': 'same',
  '2023-02-01': zones,
  '2024-08-05': shards,
  '2025-03-12': 'same',
} as const;

/** Returns the response shapes of versions, each with the schemas of the request bodies. */
const written = (zonesBody: TSchema, shardsBody: TSchema) => {
  const entryPerShard = { ...shards, body: shardsBody, read: carryBody('shards') };
  return {
    '2023-01-01': 'same',
    '2023-02-01': { ...zones, body: zonesBody, read: carryBody('zones') },
    '2024-08-05': entryPerShard,
    '2024-10-23': entryPerShard,
    '2025-03-12': 'same',
  } as const;
};

export const createVersions = written(NewZonesCluster, NewShardsCluster);
export const updateVersions = written(ZonesCluster, ShardsCluster);

/**
 * Returns the shapes of the clusters that lists of a version contain. These are the shape of the version and all less
 * expressive shapes.
 */
export function shapesIn(version: ReleaseDate): readonly ShapeName[] {
  return shapesByExpressiveness.slice(0, shapesByExpressiveness.indexOf(shapes[version] ?? 'contract') + 1);
}

/** Throws if the shape of a version cannot represent a cluster. */
export function assertExpressible({ name, spec }: ClusterModel, version: ReleaseDate): void {
  const shape = shapeOf(spec);
  if (shapesIn(version).includes(shape)) return;
  if (shape === 'shards') throw clusterFaults.ASYMMETRIC_SHARD_UNSUPPORTED(name);
  throw clusterFaults.MULTI_CLOUD_CLUSTER_INVALID(name);
}
