import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';

const optional = Type.Optional;
const NoValue = Type.Null();

const Moment = Type.Object({
  date: Type.Union([DateTime(), NoValue]),
  increment: Type.Union([Type.Integer(), NoValue]),
  time: Type.Union([Type.Integer(), NoValue]),
});

const seconds = { minimum: 1_199_145_600, maximum: 2 ** 31 - 1 };

/** The verification of a restore. It is an extension of the contract. */
export const RestoreResult = Type.Object(
  {
    identical: Type.Boolean({
      description: 'Whether every collection matched the snapshot by document count and digest.',
    }),
    collections: optional(Type.Integer({ description: 'The number of collections compared.' })),
    documents: optional(Type.Integer({ description: 'The number of documents compared.' })),
    problem: optional(Type.String({ description: 'Why the restore failed.' })),
  },
  {
    description:
      'Result of the verification; present once the restore has ended or the archives of a download are ready.',
  },
);

/** The common fields of restores of clusters and serverless instances. */
export const restoreFields = {
  cancelled: readOnly(Type.Boolean()),
  deliveryType: Choice(['automated', 'download', 'pointInTime']),
  deliveryUrl: readOnly(Type.Array(Type.String())),
  desiredTimestamp: readOnly(Moment),
  expired: readOnly(Type.Boolean()),
  expiresAt: readOnly(DateTime({ description: 'When the links of a download expire.' })),
  failed: readOnly(Type.Boolean()),
  finishedAt: readOnly(DateTime({ description: 'When the job ended, successfully or not.' })),
  id: readOnly(Id()),
  links: Links,
  result: readOnly(RestoreResult),
  oplogInc: optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  oplogTs: optional(Type.Integer(seconds)),
  pointInTimeUTCSeconds: optional(Type.Integer(seconds)),
  snapshotId: optional(Id()),
  targetClusterName: optional(Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$' })),
  targetGroupId: optional(Id()),
  timestamp: readOnly(DateTime({ description: 'The time that the snapshot represents.' })),
};

const PrivateUrl = Type.Object({ deliveryUrl: Type.String(), endpointId: Type.String() });
const privateUrls = readOnly(
  Type.Array(PrivateUrl, { description: 'Always empty: clusters have no private endpoints.' }),
);

const Component = Type.Object({
  downloadUrl: optional(Type.String()),
  privateDownloadDeliveryUrls: privateUrls,
  replicaSetName: Type.String(),
});

const clusterFields = {
  ...restoreFields,
  components: readOnly(Type.Array(Component, { description: 'The replica sets of a sharded cluster.' })),
  privateDownloadDeliveryUrls: privateUrls,
};

/** A restore of a snapshot: to a cluster, or as a download. */
export const RestoreJob = entity(Type.Object(clusterFields, { description: 'A restore of a snapshot.' }), {
  name: 'restoreJob',
  self: 'getBackupRestoreJob',
  params: ({ id = '', snapshotId }) => ({
    restoreJobId: id,
    ...(snapshotId !== undefined && { snapshotId }),
  }),
  // The snapshot of a sharded cluster has an address of its own.
  lacks: ({ components }) => [components === undefined ? 'getShardedClusterBackup' : 'getReplicaSetBackup'],
});
export type RestoreJob = Type.Static<typeof RestoreJob>;
