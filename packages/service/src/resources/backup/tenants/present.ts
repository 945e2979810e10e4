import type { ClusterModel } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { linksOf } from '../downloads/links.ts';
import type { DownloadRow } from '../model/downloads/rows.ts';
import type { JobRow } from '../model/jobs/rows.ts';
import type { RestoreRow } from '../model/restores/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { resultOf } from '../restores/present.ts';

const HOUR_MS = 3_600_000;
/** Time from the request of a restore job to its expiry (docs/contract/clusters.md 3.4). */
const EXPIRY_MS = 6 * HOUR_MS;

const flexStatus = {
  queued: 'QUEUED',
  inProgress: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
} as const;

export function presentFlexSnapshot({ id, expires, status, facts }: SnapshotRow) {
  const { due, ended, started, version } = facts;
  return {
    expiration: expires,
    ...(ended === undefined ? {} : { finishTime: ended }),
    id,
    ...(version === undefined ? {} : { dbVersion: version }),
    ...(due === undefined ? {} : { scheduledTime: due }),
    ...(started === undefined ? {} : { startTime: started }),
    status: flexStatus[status],
  };
}

export function presentFlexRestore(
  row: JobRow,
  source: ClusterModel,
  services: Pick<Services, 'publicUrl' | 'secrets'>,
) {
  const { id, groupId, requested, snapshotFinished, snapshotId } = row;
  const common = {
    id,
    projectId: groupId,
    restoreScheduledDate: requested,
    result: resultOf(row),
    snapshotFinishedDate: snapshotFinished,
    snapshotId,
    status: statusOf(row),
  };
  if (row.kind === 'restore') return { ...common, ...restoreFields(row, source) };
  return { ...common, ...downloadFields(row, services) };
}

function restoreFields(row: RestoreRow, source: ClusterModel) {
  const { finished, requested, sourceName = source.name } = row;
  return {
    deliveryType: 'RESTORE' as const,
    expirationDate: new Date(requested.getTime() + EXPIRY_MS),
    instanceName: sourceName,
    ...(finished === undefined ? {} : { restoreFinishedDate: finished }),
    targetDeploymentItemName: row.targetClusterName,
    targetProjectId: row.targetGroupId,
  };
}

function downloadFields(row: DownloadRow, services: Pick<Services, 'publicUrl' | 'secrets'>) {
  const { clusterName, expires, hours, requested } = row;
  const [snapshotUrl] = linksOf(services, row);
  return {
    deliveryType: 'DOWNLOAD' as const,
    expirationDate: expires ?? new Date(requested.getTime() + hours * HOUR_MS),
    instanceName: clusterName,
    ...(snapshotUrl === undefined ? {} : { snapshotUrl }),
  };
}

type RestoreStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

function statusOf(row: JobRow): RestoreStatus {
  const ready = row.kind === 'download' && row.archives !== undefined;
  if (row.finished === undefined && !ready) return row.begun ? 'RUNNING' : 'PENDING';
  return row.problem === undefined ? 'COMPLETED' : 'FAILED';
}

export function presentServerlessSnapshot({ id, created, expires, status, type, facts }: SnapshotRow) {
  const { clusterName, frequency, storageBytes, version } = facts;
  return {
    ...(created === undefined ? {} : { createdAt: created }),
    expiresAt: expires,
    // A snapshot that was taken when the cluster was of another kind may have a frequency that this schema lacks.
    ...(frequency === 'ondemand' || frequency === 'yearly' ? {} : { frequencyType: frequency }),
    id,
    ...(version === undefined ? {} : { dbdVersion: version }),
    serverlessInstanceName: clusterName,
    // The schema of this response has no value `fallback`.
    snapshotType: type === 'fallback' ? 'scheduled' : type,
    status,
    storageSizeBytes: storageBytes,
  };
}
