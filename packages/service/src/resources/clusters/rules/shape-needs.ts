import type { Capability } from '@portolan/engine/interface/capabilities';
import { type ClusterSpec, hasLocalDisks, isSharded, type RegionNodes } from '../model/cluster.ts';
import { isProvisioned } from './volumes.ts';

type Spec = Partial<ClusterSpec>;

/**
 * Whether a specification needs a capability. `before` is the current specification, or an empty one for a new cluster.
 */
type Need = (spec: ClusterSpec, before: Spec) => boolean;

const MAX_VOTERS = 7;
const OLDEST_COMMON_VERSION = 6;
const kinds = ['electable', 'readOnly', 'analytics'] as const;

const shardsIn = ({ zones = [] }: Spec): number => zones.reduce((sum, { numShards }) => sum + numShards, 0);
const anyZone = ({ zones }: ClusterSpec, holds: (regions: readonly RegionNodes[]) => boolean): boolean =>
  zones.some(({ regions }) => holds(regions));

const needs = {
  smallerDisks: ({ diskSizeGB }, before) => diskSizeGB < (before.diskSizeGB ?? 0),
  resharding: (spec, before) =>
    before.clusterType !== undefined &&
    (isSharded(spec) !== isSharded({ clusterType: before.clusterType }) || shardsIn(spec) < shardsIn(before)),
  zones: ({ clusterType, zones }) => clusterType === 'GEOSHARDED' || zones.length > 1,
  severalProviders: ({ zones }) =>
    new Set(zones.flatMap(({ regions }) => regions.map(({ provider }) => provider))).size > 1,
  unevenRegions: (spec) =>
    anyZone(spec, (regions) =>
      kinds.some((kind) => new Set(regions.map((region) => region[kind]).filter(Boolean)).size > 1),
    ),
  manyVoters: (spec) =>
    anyZone(
      spec,
      (regions) =>
        regions.reduce((sum, { electable, analytics }) => sum + electable + analytics, 0) > MAX_VOTERS,
    ),
  sharedSizes: ({ tenant, kind = 'cluster' }) => tenant || kind !== 'cluster',
  localDisks: (spec) => hasLocalDisks(spec),
  provisionedVolumes: ({ volumeType }) => isProvisioned(volumeType),
  oldVersions: ({ majorVersion }) => Number(majorVersion) < OLDEST_COMMON_VERSION,
} as const satisfies Partial<Record<Capability, Need>>;

/** Returns the capabilities that a specification needs, but that the specification `before` did not need. */
export function shapeNeeds(spec: ClusterSpec, before: Spec): Capability[] {
  const isWhole = (one: Spec): one is ClusterSpec => one.zones !== undefined;
  return (Object.entries(needs) as [keyof typeof needs, Need][])
    .filter(([, need]) => need(spec, before) && !(isWhole(before) && need(before, before)))
    .map(([capability]) => capability);
}
