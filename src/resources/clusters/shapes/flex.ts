import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../api/fields.ts';
import { clusterStates } from '../model/states.ts';
import { CLUSTER_NAME_PATTERN } from './contract/schema.ts';

/** A flex cluster: no size and no disk to choose, one region. */

const optional = Type.Optional;
const changeable = {
  links: Links,
  tags: optional(Type.Array(Tag, { default: [] })),
  terminationProtectionEnabled: optional(Type.Boolean({ default: false })),
};

export const FlexCluster = entity(
  Type.Object(
    {
      ...changeable,
      backupSettings: readOnly(Type.Object({ enabled: Type.Boolean() })),
      clusterType: readOnly(Choice(['REPLICASET'])),
      connectionStrings: readOnly(
        Type.Object({ standard: optional(Type.String()), standardSrv: optional(Type.String()) }),
      ),
      createDate: readOnly(DateTime()),
      dbVersion: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      name: optional(Type.String({ pattern: CLUSTER_NAME_PATTERN })),
      providerSettings: Type.Object({
        backingProviderName: Choice(['AWS', 'AZURE', 'GCP']),
        diskSizeGB: readOnly(Type.Number()),
        providerName: readOnly(Choice(['FLEX'])),
        regionName: Type.String(),
      }),
      stateName: readOnly(Choice(clusterStates)),
      versionReleaseSystem: readOnly(Choice(['LTS'])),
    },
    { description: 'A small cluster whose size and disk are fixed.' },
  ),
  {
    name: 'flexCluster',
    self: 'getFlexCluster',
    params: (c) => ({ groupId: c.groupId ?? '', name: c.name ?? '' }),
  },
);

export const FlexClusterUpdate = Type.Object(changeable);
