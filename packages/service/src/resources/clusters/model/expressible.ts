import type { ClusterSpec } from './cluster.ts';

/** Body shapes in ascending order of expressiveness: each can represent everything that the shapes before it can. */
export const shapesByExpressiveness = ['contract', 'zones', 'shards'] as const;
export type ShapeName = (typeof shapesByExpressiveness)[number];

/** Whether an entry of `replicationSpecs` represents a zone or a shard, in shapes with region configs. */
export type EntryKind = Exclude<ShapeName, 'contract'>;

/** The first shape that can represent a cluster. */
export function shapeOf({ zones, analyticsSize }: ClusterSpec): ShapeName {
  if (zones.some(({ sizes }) => sizes !== undefined)) return 'shards';
  const providers = new Set(zones.flatMap(({ regions }) => regions).map(({ provider }) => provider));
  return providers.size > 1 || analyticsSize !== undefined ? 'zones' : 'contract';
}
