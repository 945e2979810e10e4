import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import { lackingIn } from '../model/lacking-links.ts';

const Providers = Choice(['AWS', 'AZURE', 'GCP']);

/** The common fields of all snapshots. */
const common = {
  consistency: readOnly(
    Choice(['OPERATION', 'NONE'], {
      description:
        'Only for adopted deployments. `OPERATION`: the snapshot contains the data as it was at one point in time, directly after an operation. `NONE`: the servers have no change streams, so the snapshot may lack some of the writes that were made while it was taken.',
    }),
  ),
  createdAt: readOnly(
    DateTime({
      description:
        'For a scheduled snapshot, the time at which it was due; for others, the time of completion.',
    }),
  ),
  description: readOnly(
    Type.String({ description: 'Description that the request for the snapshot contained.' }),
  ),
  expiresAt: readOnly(DateTime({ description: 'Time at which the service deletes the snapshot.' })),
  frequencyType: readOnly(
    Choice(['ondemand', 'hourly', 'daily', 'weekly', 'monthly', 'yearly'], {
      description: 'Frequency of the snapshot in the backup schedule; `ondemand` for on-demand snapshots.',
    }),
  ),
  id: readOnly(Id()),
  links: Links,
  masterKeyUUID: readOnly(Type.String({ format: 'uuid' })),
  dbdVersion: readOnly(
    Type.String({ description: 'Database version of the cluster at the time of the snapshot.' }),
  ),
  policyItems: readOnly(
    Type.Array(Id(), { description: 'Ids of the schedule items that caused the snapshot.' }),
  ),
  snapshotType: readOnly(
    Choice(['onDemand', 'scheduled', 'fallback'], {
      description: 'Cause of the snapshot. `fallback`: it replaces a scheduled snapshot that failed.',
    }),
  ),
  status: readOnly(
    Choice(['queued', 'inProgress', 'completed', 'failed'], {
      description: 'How far the snapshot is. Only a `completed` snapshot can be restored.',
    }),
  ),
  storageSizeBytes: readOnly(Type.Integer({ description: 'Compressed size in bytes.' })),
  type: readOnly(
    Choice(['replicaSet', 'shardedCluster'], {
      description: 'Whether the snapshot contains a replica set or a sharded cluster.',
    }),
  ),
};

const replicaSetFields = {
  cloudProvider: readOnly(Providers),
  copyRegions: readOnly(
    Type.Array(Type.String(), { description: 'Regions that have copies of the snapshot.' }),
  ),
  replicaSetName: readOnly(Type.String()),
};

const Member = Type.Object({ cloudProvider: Providers, id: Id(), replicaSetName: Type.String() });

const shardedFields = {
  configServerType: readOnly(
    Choice(['EMBEDDED', 'DEDICATED'], {
      description:
        'Kind of config servers that the API reported for the cluster when the snapshot was taken.',
    }),
  ),
  members: readOnly(
    Type.Array(Member, {
      description:
        'Snapshots of the individual replica sets: one for each shard, and one for the config servers.',
    }),
  ),
  snapshotIds: readOnly(
    Type.Array(Id(), {
      description: 'Ids of the snapshots of the individual replica sets, in the order of `members`.',
    }),
  ),
};

const REPLICA_SET = 'getReplicaSetBackup';
const SHARDED = 'getShardedClusterBackup';
const params = ({ id = '' }: { readonly id?: string | undefined }) => ({ snapshotId: id });

export const ReplicaSetSnapshot = entity(
  Type.Object(
    { ...common, ...replicaSetFields },
    { description: 'A snapshot of a replica set: a copy of its data at one moment.' },
  ),
  { name: 'replicaSetSnapshot', self: REPLICA_SET, params, lacks: lackingIn },
);

export const ShardedSnapshot = entity(
  Type.Object(
    { ...common, ...shardedFields },
    { description: 'A snapshot of a sharded cluster: a copy of its data at one moment.' },
  ),
  { name: 'shardedClusterSnapshot', self: SHARDED, params, lacks: lackingIn },
);

/** A snapshot of a replica set or a sharded cluster. */
export const Snapshot = entity(
  Type.Object(
    { ...common, ...replicaSetFields, ...shardedFields },
    { description: 'A snapshot of a cluster: a copy of its data at one moment.' },
  ),
  {
    name: 'snapshot',
    self: ({ type }) => (type === 'shardedCluster' ? SHARDED : REPLICA_SET),
    params,
    lacks: lackingIn,
  },
);

export const SnapshotRequest = Type.Object({
  description: Type.Optional(
    Type.String({ maxLength: 2048, description: 'Text that describes the snapshot.' }),
  ),
  links: Links,
  retentionInDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description:
        'Number of days for which the snapshot is kept. The default is 7, or more if a compliance policy requires more.',
    }),
  ),
});

export const SnapshotRetention = Type.Object({
  links: Links,
  retentionUnit: Choice(['DAYS', 'WEEKS', 'MONTHS', 'YEARS']),
  retentionValue: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
});
