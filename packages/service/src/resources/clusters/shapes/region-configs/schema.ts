import Type, { type TObject } from 'typebox';
import { entity } from '../../../../api/entity.ts';
import { Choice, readOnly, ruled } from '../../../../api/fields.ts';
import type { VolumeType } from '../../model/cluster.ts';
import { settings } from '../../model/settings.ts';
import { Cluster, clusterDescription, clusterRule } from '../contract/schema.ts';
import { MAX_SHARDS, MAX_ZONE_NAME } from '../contract/topology-schema.ts';

/**
 * This file declares the cluster in the versions from 2023-02-01 to 2025-02-19: regions are lists, and
 * hardware differs by kind of node. Before 2024-08-05, an entry of `replicationSpecs` represents a zone with
 * its number of shards. Since then, an entry represents a single shard.
 */

const optional = Type.Optional;

const hardware = {
  diskIOPS: optional(Type.Integer()),
  ebsVolumeType: optional(Type.Unsafe<VolumeType>(Choice(['STANDARD', 'PROVISIONED']))),
  effectiveInstanceSize: readOnly(Type.String()),
  instanceSize: optional(Type.String()),
  nodeCount: optional(Type.Integer({ minimum: 0 })),
};

const AutoScaling = Type.Object({
  compute: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({ description: 'Whether the service adapts the instance size to the load.' }),
      ),
      maxInstanceSize: optional(Type.String()),
      minInstanceSize: optional(Type.String()),
      predictiveEnabled: optional(Type.Boolean()),
      scaleDownEnabled: optional(Type.Boolean()),
    }),
  ),
  diskGB: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({ description: 'Whether the service enlarges the disk when it is nearly full.' }),
      ),
    }),
  ),
});

function regionConfig<S extends TObject>(specs: S) {
  return Type.Object({
    analyticsAutoScaling: optional(AutoScaling),
    analyticsSpecs: optional(specs),
    autoScaling: optional(AutoScaling),
    backingProviderName: optional(Choice(['AWS', 'AZURE', 'GCP'])),
    electableSpecs: optional(specs),
    priority: optional(Type.Integer({ minimum: 0, maximum: 7 })),
    providerName: Choice(['AWS', 'AZURE', 'GCP', 'TENANT'], {
      description: 'Cloud provider; TENANT for a shared-tier cluster.',
    }),
    readOnlySpecs: optional(specs),
    regionName: Type.String(),
  });
}

const zoneFields = {
  zoneId: readOnly(Type.String()),
  zoneName: optional(Type.String({ maxLength: MAX_ZONE_NAME })),
};
const ZoneSpec = Type.Object({
  ...zoneFields,
  id: optional(Type.String({ maxLength: 64 })),
  numShards: optional(ruled(Type.Integer(), { minimum: 1, maximum: MAX_SHARDS })),
  regionConfigs: Type.Array(regionConfig(Type.Object(hardware)), { maxItems: 50 }),
});
const ShardSpec = Type.Object({
  ...zoneFields,
  id: readOnly(Type.String()),
  regionConfigs: Type.Array(
    regionConfig(
      Type.Object({
        ...hardware,
        diskSizeGB: optional(Type.Number({ description: 'Disk size of each node in gigabytes.' })),
      }),
    ),
    {
      maxItems: 50,
    },
  ),
});

/**
 * `common` has the fields that these shapes share with the contract's shape. These shapes lack the other fields, or
 * represent them in another way. Only the shape with one entry per zone has `diskSizeGB`.
 */
const {
  autoScaling: _autoScaling,
  dbURI: _dbURI,
  dbURIUpdated: _dbURIUpdated,
  dbURIWithOptions: _dbURIWithOptions,
  diskSizeGB,
  numShards: _numShards,
  providerBackupEnabled: _providerBackupEnabled,
  providerSettings: _providerSettings,
  replicationFactor: _replicationFactor,
  replicationSpec: _replicationSpec,
  replicationSpecs: _replicationSpecs,
  srvAddress: _srvAddress,
  ...common
} = Cluster.properties;

export const ZonesCluster = entity(
  Type.Object(
    {
      ...common,
      diskSizeGB,
      replicationSpecs: optional(
        Type.Array(ZoneSpec, {
          maxItems: 50,
          description: 'Regions and nodes of the cluster: one entry for each zone.',
        }),
      ),
    },
    { description: clusterDescription },
  ),
  clusterRule,
);
export type ZonesCluster = Type.Static<typeof ZonesCluster>;

export const ShardsCluster = entity(
  Type.Object(
    {
      ...common,
      redactClientLogData: settings.redactClientLogData,
      replicationSpecs: optional(
        Type.Array(ShardSpec, {
          maxItems: 450,
          description:
            'Regions and nodes of the cluster: one entry for each shard. A cluster can have up to nine zones, with at most 50 shards in each zone.',
        }),
      ),
    },
    { description: clusterDescription },
  ),
  clusterRule,
);
export type ShardsCluster = Type.Static<typeof ShardsCluster>;

export type RegionConfigsCluster = ZonesCluster | ShardsCluster;
export type ReplicationEntry = NonNullable<RegionConfigsCluster['replicationSpecs']>[number];
export type RegionConfig = ReplicationEntry['regionConfigs'][number];
export type HardwareSpec = NonNullable<RegionConfig['electableSpecs']> & { readonly diskSizeGB?: number };
