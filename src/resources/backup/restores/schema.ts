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

/** What restores of clusters and of serverless instances have. */
export const restoreFields = {
  cancelled: readOnly(Type.Boolean()),
  deliveryType: Choice(['automated', 'download', 'pointInTime']),
  deliveryUrl: readOnly(Type.Array(Type.String())),
  desiredTimestamp: readOnly(Moment),
  expired: readOnly(Type.Boolean()),
  failed: readOnly(Type.Boolean()),
  finishedAt: readOnly(DateTime({ description: 'When it ended, well or not.' })),
  id: readOnly(Id()),
  links: Links,
  oplogInc: optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  oplogTs: optional(Type.Integer(seconds)),
  pointInTimeUTCSeconds: optional(Type.Integer(seconds)),
  snapshotId: optional(Id()),
  targetClusterName: optional(Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$' })),
  targetGroupId: optional(Id()),
  timestamp: readOnly(DateTime({ description: 'When the snapshot was complete.' })),
};

/** A restore of a snapshot: into a cluster. */
export const RestoreJob = entity(Type.Object(restoreFields, { description: 'A snapshot on its way back.' }), {
  name: 'restoreJob',
  self: 'getBackupRestoreJob',
  params: ({ id = '' }) => ({ restoreJobId: id }),
});
export type RestoreJob = Type.Static<typeof RestoreJob>;
