import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';

const Providers = Choice(['AWS', 'AZURE', 'GCP']);

/** The common fields of all snapshots. */
const common = {
  createdAt: readOnly(
    DateTime({
      description:
        'Time at which the snapshot was completed; for a scheduled snapshot, the time at which it was due.',
    }),
  ),
  description: readOnly(Type.String()),
  expiresAt: readOnly(DateTime()),
  frequencyType: readOnly(Choice(['ondemand', 'hourly', 'daily', 'weekly', 'monthly', 'yearly'])),
  id: readOnly(Id()),
  links: Links,
  masterKeyUUID: readOnly(Type.String({ format: 'uuid' })),
  dbdVersion: readOnly(Type.String({ description: 'The server version of the cluster.' })),
  policyItems: readOnly(Type.Array(Id())),
  snapshotType: readOnly(Choice(['onDemand', 'scheduled', 'fallback'])),
  status: readOnly(Choice(['queued', 'inProgress', 'completed', 'failed'])),
  storageSizeBytes: readOnly(Type.Integer({ description: 'The compressed size in the snapshot store.' })),
  type: readOnly(Choice(['replicaSet', 'shardedCluster'])),
};

const replicaSetFields = {
  cloudProvider: readOnly(Providers),
  copyRegions: readOnly(Type.Array(Type.String())),
  replicaSetName: readOnly(Type.String()),
};

const Member = Type.Object({ cloudProvider: Providers, id: Id(), replicaSetName: Type.String() });

const shardedFields = {
  configServerType: readOnly(Choice(['EMBEDDED', 'DEDICATED'])),
  members: readOnly(Type.Array(Member)),
  snapshotIds: readOnly(Type.Array(Id())),
};

const REPLICA_SET = 'getReplicaSetBackup';
const SHARDED = 'getShardedClusterBackup';
const params = ({ id = '' }: { readonly id?: string | undefined }) => ({ snapshotId: id });

export const ReplicaSetSnapshot = entity(
  Type.Object(
    { ...common, ...replicaSetFields },
    { description: 'The data of a replica set at one moment.' },
  ),
  { name: 'replicaSetSnapshot', self: REPLICA_SET, params },
);

export const ShardedSnapshot = entity(
  Type.Object(
    { ...common, ...shardedFields },
    { description: 'The data of a sharded cluster at one moment.' },
  ),
  { name: 'shardedClusterSnapshot', self: SHARDED, params },
);

/** A snapshot of a replica set or a sharded cluster. */
export const Snapshot = entity(
  Type.Object(
    { ...common, ...replicaSetFields, ...shardedFields },
    { description: 'The data of a cluster at one moment.' },
  ),
  { name: 'snapshot', self: ({ type }) => (type === 'shardedCluster' ? SHARDED : REPLICA_SET), params },
);

export const SnapshotRequest = Type.Object({
  description: Type.Optional(Type.String()),
  links: Links,
  retentionInDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description: 'The retention; 7 by default, or more under a compliance policy.',
    }),
  ),
});

export const SnapshotRetention = Type.Object({
  links: Links,
  retentionUnit: Choice(['DAYS', 'WEEKS', 'MONTHS', 'YEARS']),
  retentionValue: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
});
