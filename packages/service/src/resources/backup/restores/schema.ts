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

/** Neither contract nor reference has a place for what a restore has proved. */
export const RestoreResult = Type.Object(
  {
    identical: Type.Boolean({
      description:
        'Whether every collection was compared with the snapshot, by count and digest, and was the same.',
    }),
    collections: optional(Type.Integer({ description: 'How many were compared.' })),
    documents: optional(Type.Integer({ description: 'How many there are in these.' })),
    problem: optional(Type.String({ description: 'Why the restore failed.' })),
  },
  { description: 'What came of it, once it is over or the archives of a download are there.' },
);

/** What restores of clusters and of serverless instances have. */
export const restoreFields = {
  cancelled: readOnly(Type.Boolean()),
  deliveryType: Choice(['automated', 'download', 'pointInTime']),
  deliveryUrl: readOnly(Type.Array(Type.String())),
  desiredTimestamp: readOnly(Moment),
  expired: readOnly(Type.Boolean()),
  expiresAt: readOnly(DateTime({ description: 'Until when the links of a download are good.' })),
  failed: readOnly(Type.Boolean()),
  finishedAt: readOnly(DateTime({ description: 'When it ended, well or not.' })),
  id: readOnly(Id()),
  links: Links,
  result: readOnly(RestoreResult),
  oplogInc: optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  oplogTs: optional(Type.Integer(seconds)),
  pointInTimeUTCSeconds: optional(Type.Integer(seconds)),
  snapshotId: optional(Id()),
  targetClusterName: optional(Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$' })),
  targetGroupId: optional(Id()),
  timestamp: readOnly(DateTime({ description: 'When the snapshot was complete.' })),
};

const PrivateUrl = Type.Object({ deliveryUrl: Type.String(), endpointId: Type.String() });
const privateUrls = readOnly(
  Type.Array(PrivateUrl, { description: 'None: clusters have no private endpoints.' }),
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

/** A restore of a snapshot: into a cluster, or to whoever downloads it. */
export const RestoreJob = entity(Type.Object(clusterFields, { description: 'A snapshot on its way back.' }), {
  name: 'restoreJob',
  self: 'getBackupRestoreJob',
  params: ({ id = '' }) => ({ restoreJobId: id }),
});
export type RestoreJob = Type.Static<typeof RestoreJob>;
