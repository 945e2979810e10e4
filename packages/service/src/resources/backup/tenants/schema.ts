import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import { RestoreResult, restoreFields } from '../restores/schema.ts';

const Status = Choice(['PENDING', 'QUEUED', 'RUNNING', 'FAILED', 'COMPLETED']);

interface OfTenant {
  readonly id?: string | undefined;
  readonly snapshotId?: string | undefined;
}

type Path = Readonly<Record<string, string>>;

/** The paths of serverless backups name the instance by another parameter than the instance's own path. */
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
      expiration: readOnly(DateTime()),
      finishTime: readOnly(DateTime()),
      id: readOnly(Id()),
      links: Links,
      dbVersion: readOnly(Type.String()),
      scheduledTime: readOnly(DateTime()),
      startTime: readOnly(DateTime()),
      status: readOnly(Status),
    },
    { description: 'The data of a flex cluster at one moment.' },
  ),
  { name: 'flexSnapshot', self: 'getFlexBackup', params: ofSnapshot },
);

const targetName = Type.String({ pattern: "^[\\p{L}\\p{N}\\-_.(),:&@+']{1,64}$" });

const flexRestoreFields = {
  deliveryType: readOnly(Choice(['RESTORE', 'DOWNLOAD'])),
  expirationDate: readOnly(DateTime()),
  id: readOnly(Id()),
  instanceName: readOnly(Type.String()),
  links: Links,
  projectId: readOnly(Id()),
  restoreFinishedDate: readOnly(DateTime()),
  restoreScheduledDate: readOnly(DateTime()),
  result: readOnly(RestoreResult),
  snapshotFinishedDate: readOnly(DateTime()),
  snapshotUrl: readOnly(Type.String({ description: 'URL of the archive of a download, until it expires.' })),
  status: readOnly(Status),
};

export const FlexRestoreJob = entity(
  Type.Object(
    {
      ...flexRestoreFields,
      snapshotId: readOnly(Id()),
      targetDeploymentItemName: readOnly(targetName),
      targetProjectId: readOnly(Id()),
    },
    { description: 'A restore of a snapshot of a flex cluster.' },
  ),
  { name: 'flexRestoreJob', self: 'getFlexBackupRestoreJob', params: ofRestore },
);

export const FlexRestoreRequest = Type.Object({
  ...flexRestoreFields,
  snapshotId: Id(),
  targetDeploymentItemName: targetName,
  targetProjectId: Type.Optional(Id({ description: 'By default the project of the flex cluster.' })),
});

export const FlexDownloadRequest = Type.Object({ links: Links, snapshotId: Id() });

export const ServerlessSnapshot = entity(
  Type.Object(
    {
      createdAt: readOnly(DateTime()),
      expiresAt: readOnly(DateTime()),
      frequencyType: readOnly(Choice(['hourly', 'daily', 'weekly', 'monthly'])),
      id: readOnly(Id()),
      links: Links,
      dbdVersion: readOnly(Type.String()),
      serverlessInstanceName: readOnly(Type.String()),
      snapshotType: readOnly(Choice(['onDemand', 'scheduled'])),
      status: readOnly(Choice(['queued', 'inProgress', 'completed', 'failed'])),
      storageSizeBytes: readOnly(Type.Integer()),
    },
    { description: 'The data of a serverless instance at one moment.' },
  ),
  { name: 'serverlessSnapshot', self: 'getServerlessBackup', params: ofSnapshot },
);

export const ServerlessRestoreJob = entity(
  Type.Object(restoreFields, { description: 'A restore of a snapshot of a serverless instance.' }),
  { name: 'serverlessRestoreJob', self: 'getServerlessBackupRestoreJob', params: ofRestore },
);
