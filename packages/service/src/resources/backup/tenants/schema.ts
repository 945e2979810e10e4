import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import { RestoreResult, restoreFields } from '../restores/schema.ts';

const Status = Choice(['PENDING', 'QUEUED', 'RUNNING', 'FAILED', 'COMPLETED'], {
  description:
    'How far the snapshot or restore job is. Only a `COMPLETED` snapshot can be restored. Restore jobs are never `QUEUED`.',
});

interface OfTenant {
  readonly id?: string | undefined;
  readonly snapshotId?: string | undefined;
}

type Path = Readonly<Record<string, string>>;

/**
 * Returns the name of the instance in a path. The parameter is called `name` in the path of the instance, and
 * `clusterName` in the paths of its backups.
 */
const nameIn = ({ name, clusterName = '' }: Path) => name ?? clusterName;
const ofSnapshot = ({ id = '' }: OfTenant, path: Path) => ({ snapshotId: id, name: nameIn(path) });
const ofRestore = ({ id = '', snapshotId }: OfTenant, path: Path) => ({
  restoreJobId: id,
  name: nameIn(path),
  ...(snapshotId !== undefined && { snapshotId }),
});

export const FlexSnapshot = entity(
  Type.Object(
    {
      expiration: readOnly(DateTime({ description: 'Time at which the service deletes the snapshot.' })),
      finishTime: readOnly(DateTime({ description: 'Time at which the snapshot was completed.' })),
      id: readOnly(Id()),
      links: Links,
      dbVersion: readOnly(Type.String()),
      scheduledTime: readOnly(DateTime({ description: 'Time at which the snapshot was due.' })),
      startTime: readOnly(DateTime({ description: 'Time at which the snapshot was started.' })),
      status: readOnly(Status),
    },
    { description: 'A snapshot of a flex cluster: a copy of its data at one moment.' },
  ),
  { name: 'flexSnapshot', self: 'getFlexBackup', params: ofSnapshot },
);

const targetName = Type.String({
  pattern: "^[\\p{L}\\p{N}\\-_.(),:&@+']{1,64}$",
  description: 'Name of the cluster whose data is replaced.',
});

const flexRestoreFields = {
  deliveryType: readOnly(
    Choice(['RESTORE', 'DOWNLOAD'], {
      description:
        '`RESTORE`: the job restores the snapshot to a cluster. `DOWNLOAD`: the job prepares the snapshot for download.',
    }),
  ),
  expirationDate: readOnly(DateTime({ description: 'Time at which the download URL expires.' })),
  id: readOnly(Id()),
  instanceName: readOnly(Type.String({ description: 'Name of the flex cluster.' })),
  links: Links,
  projectId: readOnly(Id()),
  restoreFinishedDate: readOnly(DateTime({ description: 'Time at which the job was completed.' })),
  restoreScheduledDate: readOnly(DateTime({ description: 'Time at which the job was requested.' })),
  result: readOnly(RestoreResult),
  snapshotFinishedDate: readOnly(DateTime({ description: 'Time at which the snapshot was completed.' })),
  snapshotUrl: readOnly(
    Type.String({ description: 'URL from which the archive can be downloaded; absent once it has expired.' }),
  ),
  status: readOnly(Status),
};

export const FlexRestoreJob = entity(
  Type.Object(
    {
      ...flexRestoreFields,
      snapshotId: readOnly(Id()),
      targetDeploymentItemName: readOnly(targetName),
      targetProjectId: readOnly(Id({ description: 'Id of the project of the target cluster.' })),
    },
    {
      description: 'A restore job, which restores a snapshot of a flex cluster or prepares it for download.',
    },
  ),
  { name: 'flexRestoreJob', self: 'getFlexBackupRestoreJob', params: ofRestore },
);

export const FlexRestoreRequest = Type.Object({
  ...flexRestoreFields,
  snapshotId: Id(),
  targetDeploymentItemName: targetName,
  targetProjectId: Type.Optional(
    Id({
      description: 'Id of the project of the target cluster; by default the project of the flex cluster.',
    }),
  ),
});

export const FlexDownloadRequest = Type.Object({ links: Links, snapshotId: Id() });

export const ServerlessSnapshot = entity(
  Type.Object(
    {
      createdAt: readOnly(DateTime()),
      expiresAt: readOnly(DateTime({ description: 'Time at which the service deletes the snapshot.' })),
      frequencyType: readOnly(
        Choice(['hourly', 'daily', 'weekly', 'monthly'], {
          description: 'Frequency of the schedule item that caused the snapshot.',
        }),
      ),
      id: readOnly(Id()),
      links: Links,
      dbdVersion: readOnly(
        Type.String({ description: 'Database version of the instance at the time of the snapshot.' }),
      ),
      serverlessInstanceName: readOnly(Type.String({ description: 'Name of the serverless instance.' })),
      snapshotType: readOnly(Choice(['onDemand', 'scheduled'], { description: 'What caused the snapshot.' })),
      status: readOnly(
        Choice(['queued', 'inProgress', 'completed', 'failed'], {
          description: 'How far the snapshot is. Only a `completed` snapshot can be restored.',
        }),
      ),
      storageSizeBytes: readOnly(Type.Integer({ description: 'Compressed size in bytes.' })),
    },
    { description: 'A snapshot of a serverless instance: a copy of its data at one moment.' },
  ),
  { name: 'serverlessSnapshot', self: 'getServerlessBackup', params: ofSnapshot },
);

export const ServerlessRestoreJob = entity(
  Type.Object(restoreFields, {
    description:
      'A restore job, which restores a snapshot of a serverless instance or prepares it for download.',
  }),
  { name: 'serverlessRestoreJob', self: 'getServerlessBackupRestoreJob', params: ofRestore },
);
