import type { ClusterModel } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { linksOf } from '../downloads/links.ts';
import type { RestoreRow } from '../model/restores/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { resultOf } from '../restores/present.ts';

const HOUR_MS = 3_600_000;
/** The expiry of a restore job, counted from the request (docs/contract/clusters.md 3.4). */
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
  row: RestoreRow,
  source: ClusterModel,
  services: Pick<Services, 'publicUrl' | 'secrets'>,
) {
  const { id, groupId, finished, facts } = row;
  const { download } = facts;
  const requested = facts.requested ?? facts.timestamp;
  const kept = download === undefined ? EXPIRY_MS : download.hours * HOUR_MS;
  const [snapshotUrl] = linksOf(services, row);
  return {
    deliveryType: download === undefined ? ('RESTORE' as const) : ('DOWNLOAD' as const),
    expirationDate: download?.expiresAt ?? new Date(Date.parse(requested) + kept),
    id,
    instanceName: facts.sourceName ?? source.name,
    projectId: groupId,
    ...(finished === undefined || download !== undefined ? {} : { restoreFinishedDate: finished }),
    restoreScheduledDate: requested,
    result: resultOf(facts),
    snapshotFinishedDate: facts.snapshotFinished ?? facts.timestamp,
    snapshotId: facts.snapshotId,
    ...(snapshotUrl === undefined ? {} : { snapshotUrl }),
    status: restoreStatus({ finished, facts }),
    targetDeploymentItemName: facts.targetClusterName,
    targetProjectId: facts.targetGroupId,
  };
}

type RestoreStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

function restoreStatus({ finished, facts }: Pick<RestoreRow, 'finished' | 'facts'>): RestoreStatus {
  const ready = facts.download?.archives !== undefined;
  if (finished === undefined && !ready) return facts.begun ? 'RUNNING' : 'PENDING';
  return facts.problem === undefined ? 'COMPLETED' : 'FAILED';
}

export function presentServerlessSnapshot({ id, created, expires, status, type, facts }: SnapshotRow) {
  const { clusterName, frequency, storageBytes, version } = facts;
  return {
    ...(created === undefined ? {} : { createdAt: created }),
    expiresAt: expires,
    // Snapshots from when the cluster was of another kind may have frequencies that this schema lacks.
    ...(frequency === 'ondemand' || frequency === 'yearly' ? {} : { frequencyType: frequency }),
    id,
    ...(version === undefined ? {} : { dbdVersion: version }),
    serverlessInstanceName: clusterName,
    // This schema has no fallback type.
    snapshotType: type === 'fallback' ? 'scheduled' : type,
    status,
    storageSizeBytes: storageBytes,
  };
}
