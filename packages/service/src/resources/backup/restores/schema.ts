import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import { lackingIn } from '../model/lacking-links.ts';

const optional = Type.Optional;
const NoValue = Type.Null();

const Moment = Type.Object({
  date: Type.Union([DateTime(), NoValue], { description: 'Date to which the job restores the data.' }),
  increment: Type.Union([Type.Integer(), NoValue], {
    description: 'Increment of the oplog timestamp to which the job restores the data.',
  }),
  time: Type.Union([Type.Integer(), NoValue], {
    description: 'Oplog timestamp to which the job restores the data, in seconds since 1970.',
  }),
});

const seconds = { minimum: 1_199_145_600, maximum: 2 ** 31 - 1 };

/** The verification of a restore. The contract has no such field. */
export const RestoreResult = Type.Object(
  {
    identical: Type.Boolean({
      description:
        'Whether every restored collection has the same number of documents as in the snapshot, and the same hash of these documents.',
    }),
    collections: optional(Type.Integer({ description: 'Number of compared collections.' })),
    documents: optional(Type.Integer({ description: 'Number of compared documents.' })),
    problem: optional(Type.String({ description: 'Why the restore or its verification failed.' })),
  },
  {
    description:
      'Result of the verification, which compares the restored documents with the snapshot. Responses contain it once the restore has ended, or once a download is ready. Requests cannot set it.',
  },
);

/** The common fields of restores of clusters and serverless instances. */
export const restoreFields = {
  cancelled: readOnly(Type.Boolean({ description: 'Whether the job was cancelled.' })),
  deliveryType: Choice(['automated', 'download', 'pointInTime'], {
    description:
      '`automated`: restores a snapshot to a cluster. `pointInTime`: restores a point in time to a cluster. `download`: prepares a snapshot for download.',
  }),
  deliveryUrl: readOnly(
    Type.Array(Type.String(), {
      description: 'Download URLs, one for each replica set. Empty until the download is ready.',
    }),
  ),
  desiredTimestamp: readOnly(Moment),
  expired: readOnly(Type.Boolean({ description: 'Whether the links of a download have expired.' })),
  expiresAt: readOnly(DateTime({ description: 'Time at which the links of a download expire.' })),
  failed: readOnly(Type.Boolean({ description: 'Whether the job failed.' })),
  finishedAt: readOnly(DateTime({ description: 'Time at which the job succeeded or failed.' })),
  id: readOnly(Id()),
  links: Links,
  result: readOnly(RestoreResult),
  oplogInc: optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description: 'Increment of the oplog timestamp to which the cluster is restored. Requires `oplogTs`.',
    }),
  ),
  oplogTs: optional(
    Type.Integer({
      ...seconds,
      description:
        'Oplog timestamp to which the cluster is restored, in seconds since 1970. Requires `oplogInc`.',
    }),
  ),
  pointInTimeUTCSeconds: optional(
    Type.Integer({
      ...seconds,
      description: 'Time to which the cluster is restored, in seconds since 1970.',
    }),
  ),
  snapshotId: optional(Id()),
  targetClusterName: optional(
    Type.String({
      pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$',
      description: 'Name of the cluster whose data is replaced.',
    }),
  ),
  targetGroupId: optional(Id({ description: 'Id of the project of the target cluster.' })),
  timestamp: readOnly(DateTime({ description: 'Point in time of the data in the snapshot.' })),
};

const PrivateUrl = Type.Object({ deliveryUrl: Type.String(), endpointId: Type.String() });
const privateUrls = readOnly(
  Type.Array(PrivateUrl, { description: 'Always empty: clusters have no private endpoints.' }),
);

const Component = Type.Object({
  downloadUrl: optional(Type.String({ description: 'Download URL of the shard.' })),
  privateDownloadDeliveryUrls: privateUrls,
  replicaSetName: Type.String(),
});

const clusterFields = {
  ...restoreFields,
  components: readOnly(
    Type.Array(Component, {
      description: 'Parts of the job, one for each shard; only for sharded clusters.',
    }),
  ),
  privateDownloadDeliveryUrls: privateUrls,
};

/** A restore of a snapshot: to a cluster, or as a download. */
export const RestoreJob = entity(
  Type.Object(clusterFields, {
    description: 'A restore job, which restores data to a cluster or prepares a snapshot for download.',
  }),
  {
    name: 'restoreJob',
    self: 'getBackupRestoreJob',
    params: ({ id = '', snapshotId }) => ({
      restoreJobId: id,
      ...(snapshotId !== undefined && { snapshotId }),
    }),
    lacks: lackingIn,
  },
);
export type RestoreJob = Type.Static<typeof RestoreJob>;
