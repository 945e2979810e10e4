import type { ClusterSpec } from './cluster.ts';

/** Body shapes in ascending expressiveness: each can represent what the former ones can. */
export const shapesByExpressiveness = ['contract', 'zones', 'shards'] as const;
export type ShapeName = (typeof shapesByExpressiveness)[number];

/** What an entry of `replicationSpecs` stands for in shapes with region configs: a zone or a shard. */
export type EntryKind = Exclude<ShapeName, 'contract'>;

/** The first shape that can represent a cluster. */
export function shapeOf({ zones, analyticsSize }: ClusterSpec): ShapeName {
  if (zones.some(({ sizes }) => sizes !== undefined)) return 'shards';
  const providers = new Set(zones.flatMap(({ regions }) => regions).map(({ provider }) => provider));
  return providers.size > 1 || analyticsSize !== undefined ? 'zones' : 'contract';
}
