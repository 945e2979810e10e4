import Type, { type TSchema } from 'typebox';
import type { EntityDocument } from '../../api/dialect/entities.ts';
import { Choice, readOnly } from '../../api/fields.ts';
import { isPlainObject, type JsonSchema } from '../../api/schema/json-schema.ts';
import { flag, text, withoutDefault } from './constant-fields.ts';
import { asRequested } from './requested-specs.ts';
import { newerCiphers } from './tls.ts';

/**
 * Returns additional fields of clusters. They apply to shapes in which each shard has its own specification. Older
 * shapes have a number of shards instead.
 */
export function clusterFields({ properties }: JsonSchema): Record<string, TSchema> {
  const specs = properties?.replicationSpecs && withThroughput(properties.replicationSpecs);
  const common = {
    ...(specs && { replicationSpecs: specs as TSchema }),
    ...withoutDefault(properties, 'numShards'),
    ...withoutDefault(properties, 'replicaSetScalingStrategy'),
    ...withNewerCiphers(properties?.advancedConfiguration),
    ...withoutPrediction(properties?.autoScaling),
  };
  if (specs?.items?.properties?.numShards !== undefined) return common;
  return {
    ...common,
    adaptiveCapacity: capacity(),
    effectiveDatabaseEdition: text('CORE'),
    ...(specs && {
      effectiveReplicationSpecs: { ...specs, readOnly: true } as TSchema,
      replicationSpecs: withEffectiveSpecs(specs) as TSchema,
    }),
    internalClusterRole: text('NONE'),
    retainBackups: flag(false),
    useAwsTimeBasedSnapshotCopyForFastInitialSync: Type.Optional(Type.Boolean({ default: false })),
  };
}

const capacity = () =>
  Type.Optional(Type.Union([Choice(['ENABLED', 'DISABLED']), Type.Null()], { default: null }));

function withNewerCiphers(schema: JsonSchema | undefined): Record<string, TSchema> {
  if (schema?.properties === undefined) return {};
  const properties = { ...schema.properties, customOpensslCipherConfigTls13: newerCiphers() };
  return { advancedConfiguration: { ...schema, properties } as TSchema };
}

/** Omits the setting of predictive scaling from responses, unless it has a value. */
function withoutPrediction(schema: JsonSchema | undefined): Record<string, TSchema> {
  const compute = schema?.properties?.compute;
  if (schema === undefined || compute === undefined) return {};
  const properties = { ...compute.properties, ...withoutDefault(compute.properties, 'predictiveEnabled') };
  return {
    autoScaling: {
      ...schema,
      properties: { ...schema.properties, compute: { ...compute, properties } },
    } as TSchema,
  };
}

/**
 * Adds fields to the schema of a region in the specifications of nodes. `added` gets the present fields of the region,
 * and returns the fields to add.
 */
function withRegionFields(
  schema: JsonSchema,
  added: (fields: Readonly<Record<string, JsonSchema>>) => ReadonlyArray<readonly [string, JsonSchema]>,
): JsonSchema {
  const { items } = schema;
  const regions = items?.properties?.regionConfigs;
  const region = regions?.items;
  if (!items || !regions || !region?.properties) return schema;
  const properties = { ...region.properties, ...Object.fromEntries(added(region.properties)) };
  const regionConfigs = { ...regions, items: { ...region, properties } };
  return { ...schema, items: { ...items, properties: { ...items.properties, regionConfigs } } };
}

/** Adds the throughput of volumes to the specifications of the nodes in a region. */
const withThroughput = (schema: JsonSchema): JsonSchema =>
  withRegionFields(schema, (fields) =>
    Object.keys(effectiveNames).flatMap((name) => {
      const specs = fields[name];
      if (specs?.properties === undefined) return [];
      const properties = { ...specs.properties, diskThroughput: readOnly(Type.Integer()) };
      return [[name, { ...specs, properties } as JsonSchema] as const];
    }),
  );

const effectiveNames = {
  analyticsSpecs: 'effectiveAnalyticsSpecs',
  electableSpecs: 'effectiveElectableSpecs',
  readOnlySpecs: 'effectiveReadOnlySpecs',
} as const;

/**
 * Adds an effective specification to each specification of the nodes in a region. Scaling may have changed the
 * effective specification.
 */
const withEffectiveSpecs = (schema: JsonSchema): JsonSchema =>
  withRegionFields(schema, (fields) =>
    Object.entries(effectiveNames).flatMap(([name, effectiveName]) => {
      const declared = fields[name];
      return declared ? [[effectiveName, { ...declared, readOnly: true }] as const] : [];
    }),
  );

export function presentCluster(declared: EntityDocument): EntityDocument {
  const { autoScaling, biConnector, providerSettings, replicationSpecs } = declared;
  const cluster = {
    ...declared,
    ...(declared.hasReadPreference === false && isPlainObject(biConnector) && withSecondary(biConnector)),
    ...(autoScaling !== undefined && { autoScaling: presentScaling(autoScaling) }),
    ...(isPlainObject(providerSettings) && { providerSettings: { ...unlimited, ...providerSettings } }),
  };
  if (!Array.isArray(replicationSpecs)) return cluster;
  const countsShards = replicationSpecs.some((spec) => isPlainObject(spec) && spec.numShards !== undefined);
  const shown = { hasDisks: !countsShards, hasAnalyticsScaling: declared.hasAnalyticsScaling === true };
  const specs = replicationSpecs.map((spec) => presentSpec(spec, shown));
  if (!countsShards) {
    const current = specs.map((spec) => withRequested(withEffective(spec), declared.requestedRegions));
    return {
      ...cluster,
      effectiveReplicationSpecs: specs,
      replicationSpecs: asRequested(current, declared.requestedSpecs),
    };
  }
  const {
    featureCompatibilityVersion: _,
    replicaSetScalingStrategy: __,
    ...others
  } = cluster as EntityDocument;
  return { ...withoutSum(others), replicationSpecs: specs };
}

/** Shows the preference `secondary` if no request has set one, even if the cluster has analytics nodes. */
function withSecondary(connector: EntityDocument): EntityDocument {
  return connector.enabled === true ? {} : { biConnector: { ...connector, readPreference: 'secondary' } };
}

/** Omits the number of shards of a global cluster, whose zones contain the numbers that apply. */
function withoutSum(cluster: EntityDocument): EntityDocument {
  const { numShards: _, ...others } = cluster;
  return cluster.clusterType === 'GEOSHARDED' ? others : cluster;
}

/** The limits of compute autoscaling in the legacy shape, if none are set. Clients require this object. */
const unlimited = { autoScaling: { compute: {} } };

/** Adds effective sizes, except for the provider TENANT: shared clusters do not scale. */
function withEffective(spec: unknown): unknown {
  if (!isPlainObject(spec) || !Array.isArray(spec.regionConfigs)) return spec;
  const regionConfigs = spec.regionConfigs.map((region) => {
    if (!isPlainObject(region) || region.providerName === 'TENANT') return region;
    const effective = Object.entries(effectiveNames).flatMap(([name, effectiveName]) =>
      region[name] === undefined ? [] : [[effectiveName, region[name]] as const],
    );
    return { ...region, ...Object.fromEntries(effective) };
  });
  return { ...spec, regionConfigs };
}

/**
 * Shows the specifications of nodes as a client requested them, if the client has asked the service to keep them. By
 * default, they equal the effective specifications.
 */
function withRequested(spec: unknown, requestedRegions: unknown): unknown {
  if (!isPlainObject(spec) || !Array.isArray(spec.regionConfigs)) return spec;
  if (!Array.isArray(requestedRegions)) return spec;
  const regionConfigs = spec.regionConfigs.map((region) => {
    const isSame = (one: EntityDocument) =>
      one.providerName === region.providerName && one.regionName === region.regionName;
    const requested: EntityDocument | undefined = requestedRegions.find(isSame);
    if (requested === undefined) return region;
    const { analyticsSpecs: _, electableSpecs: __, readOnlySpecs: ___, ...others } = region;
    return { ...others, ...requested };
  });
  return { ...spec, regionConfigs };
}

interface Shown {
  readonly hasDisks: boolean;
  readonly hasAnalyticsScaling: boolean;
}

function presentSpec(spec: unknown, { hasDisks, hasAnalyticsScaling }: Shown): unknown {
  if (!isPlainObject(spec) || !Array.isArray(spec.regionConfigs)) return spec;
  const regionConfigs = spec.regionConfigs.map((region) => presentRegion(region, hasAnalyticsScaling));
  return { ...spec, regionConfigs: hasDisks ? regionConfigs.map(withSharedDisk) : regionConfigs };
}

/** The disk sizes of shared clusters in gigabytes. */
const sharedDisks: Readonly<Record<string, number>> = { M0: 0.5, M2: 2, M5: 5 };

/** Adds the disk size to the specification of a shared cluster, in shapes whose specifications include disk sizes. */
function withSharedDisk(region: unknown): unknown {
  if (!isPlainObject(region) || !isPlainObject(region.electableSpecs)) return region;
  const { electableSpecs } = region;
  const diskSizeGB = region.providerName === 'TENANT' && sharedDisks[String(electableSpecs.instanceSize)];
  return diskSizeGB ? { ...region, electableSpecs: { ...electableSpecs, diskSizeGB } } : region;
}

/**
 * Shows the scaling settings of analytics nodes only if their scaling is enabled, and either the region has analytics
 * nodes or a request contained the settings.
 */
function presentRegion(region: unknown, hasAnalyticsScaling: boolean): unknown {
  if (!isPlainObject(region)) return region;
  const { analyticsAutoScaling, autoScaling, ...others } = region;
  return {
    ...others,
    ...(others.providerName === 'AZURE' && volumesOf(others)),
    ...((hasAnalyticsScaling || hasNodes(others.analyticsSpecs)) &&
      isScaling(analyticsAutoScaling) && { analyticsAutoScaling: presentScaling(analyticsAutoScaling) }),
    ...(autoScaling !== undefined && { autoScaling: presentScaling(autoScaling) }),
  };
}

/** The default speed of volumes at Azure. It has no effect, because the engine does not limit the speed of volumes. */
const azureVolume = { diskIOPS: 3500, diskThroughput: 125 };

function volumesOf(region: EntityDocument): EntityDocument {
  const specs = Object.keys(effectiveNames).flatMap((name) => {
    const spec = region[name];
    return isPlainObject(spec) ? [[name, { ...azureVolume, ...spec }] as const] : [];
  });
  return Object.fromEntries(specs);
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
