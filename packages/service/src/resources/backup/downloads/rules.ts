import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { openDownloads, type RestoreRow } from '../restores/rows.ts';
import type { RestoreJob } from '../restores/schema.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';

export const downloadFaults = faults({
  CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT: [409, 'A snapshot that is not complete cannot be downloaded.'],
  CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION: [
    400,
    'A snapshot that is encrypted cannot be downloaded; it can be restored.',
  ],
  CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY: [400, 'The snapshot is being downloaded already.'],
  TOO_MANY_SNAPSHOT_DOWNLOADS: [400, 'A project has at most 20 downloads of snapshots at a time.'],
  PLATFORM_BACKUP_CANCEL_SHARD_RESTORE_JOB_NOT_ALLOWED: [
    405,
    'The job of a single shard cannot be cancelled.',
  ],
});

/** How long links are good, in hours, from the moment on when the archives are there (reference 3.4). */
export const CLUSTER_HOURS = 1;
export const TENANT_HOURS = 4;

const MOST_DOWNLOADS = 20;

/** The snapshot that a body wants to download; throws where something is missing, or not for this kind of restore. */
export function readDownload(body: RestoreJob, refused: ReadonlyArray<keyof RestoreJob>): string {
  for (const name of [...refused, 'oplogInc', 'oplogTs', 'pointInTimeUTCSeconds'] as const) {
    if (body[name] !== undefined) throw generalFaults.INVALID_ATTRIBUTE(name);
  }
  if (body.snapshotId === undefined) throw generalFaults.MISSING_ATTRIBUTE('snapshotId');
  return body.snapshotId;
}

/** Throws where a snapshot cannot be downloaded now. */
export async function checkDownload(tx: ReadTx, snapshot: SnapshotRow): Promise<void> {
  const { id, groupId, status } = snapshot;
  if (status !== 'completed') throw downloadFaults.CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT();
  if (snapshot.facts.encryption !== undefined)
    throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION();
  const open = await openDownloads(tx, groupId);
  if (open.some(({ facts }) => facts.download?.source === id))
    throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY();
  if (open.length >= MOST_DOWNLOADS) throw downloadFaults.TOO_MANY_SNAPSHOT_DOWNLOADS();
}

/** Whether a job can be cancelled still; throws for that of a single shard. */
export function isCancellable({ finished, facts }: RestoreRow): boolean {
  if (facts.download?.ofShard) throw downloadFaults.PLATFORM_BACKUP_CANCEL_SHARD_RESTORE_JOB_NOT_ALLOWED();
  return facts.download !== undefined && finished === undefined;
}
