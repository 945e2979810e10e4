import Type from 'typebox';
import { Choice, Id, readOnly, ruled } from '../../../../api/fields.ts';
import type { VolumeType } from '../../model/cluster.ts';
import { settings } from '../../model/settings.ts';

/**
 * This file declares the nodes by region and the hardware of all nodes, in the contract's shape with one
 * provider and one size.
 */

/** Maximum number of shards of one cluster. */
export const MAX_SHARDS = 50;
/** Maximum length of the name of a zone. */
export const MAX_ZONE_NAME = 128;
/** Valid numbers of electable nodes of a replica set. */
export const electableCounts = [3, 5, 7];

const optional = Type.Optional;

const RegionNodes = Type.Object({
  analyticsNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
  electableNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
  priority: optional(Type.Integer({ default: 0, minimum: 0, maximum: 7 })),
  readOnlyNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
});

/** Maps the name of a region to the nodes in it. */
export const RegionsConfig = Type.Record(Type.String(), RegionNodes, {
  maxProperties: 50,
  description: 'Number and priority of the nodes, by region.',
});

export const ReplicationSpec = Type.Object({
  id: optional(Id()),
  numShards: optional(ruled(Type.Integer(), { minimum: 1, maximum: MAX_SHARDS })),
  regionsConfig: optional(RegionsConfig),
  zoneName: optional(Type.String({ maxLength: MAX_ZONE_NAME })),
});

export const ProviderSettings = Type.Object({
  autoScaling: optional(
    Type.Object(
      { compute: settings.computeLimits },
      { description: 'Smallest and largest instance size that autoscaling chooses.' },
    ),
  ),
  backingProviderName: optional(Choice(['AWS', 'AZURE', 'GCP'])),
  diskIOPS: optional(Type.Integer()),
  diskTypeName: optional(
    Type.String({ description: 'Type of the Azure disk, such as `P4`; only for Azure.' }),
  ),
  effectiveInstanceSizeName: readOnly(Type.String()),
  encryptEBSVolume: optional(Type.Boolean()),
  instanceSizeName: optional(Type.String()),
  providerName: optional(
    Choice(['AWS', 'AZURE', 'GCP', 'TENANT', 'FLEX', 'SERVERLESS'], {
      description: 'Cloud provider; TENANT for a shared-tier cluster.',
    }),
  ),
  regionName: optional(Type.String()),
  volumeType: optional(Type.Unsafe<VolumeType>(Choice(['STANDARD', 'PROVISIONED']))),
});
