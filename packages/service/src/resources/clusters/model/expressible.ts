import type { ClusterSpec } from './cluster.ts';

/** Shapes by how much they can say: each says what those before it can. */
export const byReach = ['contract', 'zones', 'shards'] as const;
export type ShapeName = (typeof byReach)[number];

/** In the shapes with region configs an entry of `replicationSpecs` is a zone, or one shard. */
export type EntryKind = Exclude<ShapeName, 'contract'>;

/** The first of the shapes that can say what a cluster is. */
export function shapeOf({ zones, analyticsSize }: ClusterSpec): ShapeName {
  if (zones.some(({ sizes }) => sizes !== undefined)) return 'shards';
  const providers = new Set(zones.flatMap(({ regions }) => regions).map(({ provider }) => provider));
  return providers.size > 1 || analyticsSize !== undefined ? 'zones' : 'contract';
}
