import type { ClusterSpec } from './cluster.ts';

/** Body shapes in order of expressiveness: each can represent all clusters that the shapes before it can represent. */
export const shapesByExpressiveness = ['contract', 'zones', 'shards'] as const;
export type ShapeName = (typeof shapesByExpressiveness)[number];

/** What an entry of `replicationSpecs` represents, a zone or a shard, in shapes with region configs. */
export type EntryKind = Exclude<ShapeName, 'contract'>;

/** Returns the first shape that can represent a cluster. */
export function shapeOf({ zones, analyticsSize }: ClusterSpec): ShapeName {
  if (zones.some(({ sizes }) => sizes !== undefined)) return 'shards';
  const providers = new Set(zones.flatMap(({ regions }) => regions).map(({ provider }) => provider));
  return providers.size > 1 || analyticsSize !== undefined ? 'zones' : 'contract';
}
