import type { TSchema } from 'typebox';
import type { EntityDocument } from '../../api/dialect/entities.ts';
import { isPlainObject, type JsonSchema } from '../../api/schema/json-schema.ts';
import { flag, nothing, text, withoutDefault } from './constant-fields.ts';

/**
 * Fields that clusters have since each shard has its own specification; older shapes have a number of shards instead.
 */
export function clusterFields({ properties }: JsonSchema): Record<string, TSchema> {
  const specs = properties?.replicationSpecs;
  if (specs?.items?.properties?.numShards !== undefined)
    return withoutDefault(properties, 'replicaSetScalingStrategy');
  return {
    adaptiveCapacity: nothing(),
    effectiveDatabaseEdition: text('CORE'),
    ...(specs && { effectiveReplicationSpecs: { ...specs, readOnly: true } as TSchema }),
    internalClusterRole: text('NONE'),
    retainBackups: flag(false),
  };
}

export function presentCluster(cluster: EntityDocument): EntityDocument {
  const { replicationSpecs } = cluster;
  if (!Array.isArray(replicationSpecs)) return cluster;
  const specs = replicationSpecs.map(presentSpec);
  const countsShards = replicationSpecs.some((spec) => isPlainObject(spec) && spec.numShards !== undefined);
  // The specification already contains the sizes that scaling has chosen.
  if (!countsShards) return { ...cluster, effectiveReplicationSpecs: specs, replicationSpecs: specs };
  const { featureCompatibilityVersion: _, replicaSetScalingStrategy: __, ...others } = cluster;
  return { ...others, replicationSpecs: specs };
}

function presentSpec(spec: unknown): unknown {
  if (!isPlainObject(spec) || !Array.isArray(spec.regionConfigs)) return spec;
  return { ...spec, regionConfigs: spec.regionConfigs.map(presentRegion) };
}

/** The scaling of analytics nodes is shown only if there are any and it is enabled. */
function presentRegion(region: unknown): unknown {
  if (!isPlainObject(region)) return region;
  const { analyticsAutoScaling, autoScaling, ...others } = region;
  return {
    ...others,
    ...(hasNodes(others.analyticsSpecs) &&
      isScaling(analyticsAutoScaling) && { analyticsAutoScaling: presentScaling(analyticsAutoScaling) }),
    ...(autoScaling !== undefined && { autoScaling: presentScaling(autoScaling) }),
  };
}

function presentScaling(scaling: unknown): unknown {
  if (!isPlainObject(scaling) || !isPlainObject(scaling.compute)) return scaling;
  const { predictiveEnabled: _, ...compute } = scaling.compute;
  return { ...scaling, compute };
}

function hasNodes(specs: unknown): boolean {
  return isPlainObject(specs) && specs.nodeCount !== 0;
}

function isScaling(scaling: unknown): boolean {
  if (!isPlainObject(scaling)) return false;
  return Object.values(scaling).some((one) => isPlainObject(one) && one.enabled === true);
}
