import type { ClusterSpec } from './cluster.ts';

/**
 * Body shapes in order of expressiveness. Each shape can represent all clusters that the shapes before it can
 * represent.
 */
export const shapesByExpressiveness = ['contract', 'zones', 'shards'] as const;
export type ShapeName = (typeof shapesByExpressiveness)[number];

/** Each entry of `replicationSpecs` represents a zone in some shapes with region configs, and a shard in the others. */
export type EntryKind = Exclude<ShapeName, 'contract'>;

/** Returns the first shape that can represent a cluster. */
export function shapeOf({ zones, analyticsSize }: ClusterSpec): ShapeName {
  if (zones.some(({ sizes, volumes }) => (sizes ?? volumes) !== undefined)) return 'shards';
  const providers = new Set(zones.flatMap(({ regions }) => regions).map(({ provider }) => provider));
  return providers.size > 1 || analyticsSize !== undefined ? 'zones' : 'contract';
}
