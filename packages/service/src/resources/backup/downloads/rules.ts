import type { PlainObject } from '@portolan/foundation/plain-object';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { type DownloadRow, openDownloads } from '../model/downloads/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { downloadFaults } from './faults.ts';

/** How many hours links are valid, from the time when the archives are ready (docs/contract/clusters.md 3.4). */
export const CLUSTER_HOURS = 1;
export const TENANT_HOURS = 4;

const MAX_DOWNLOADS = 20;

/** The body of a download request after validation. */
type DownloadBody = { readonly snapshotId?: string } & PlainObject;

/**
 * Returns the snapshot id of a download request. Throws for missing attributes, and for attributes of other kinds of
 * restore.
 */
export function readDownload(body: DownloadBody, refused: readonly string[]): string {
  for (const name of [...refused, 'oplogInc', 'oplogTs', 'pointInTimeUTCSeconds'] as const) {
    if (body[name] !== undefined) throw generalFaults.INVALID_ATTRIBUTE(name);
  }
  if (body.snapshotId === undefined) throw generalFaults.MISSING_ATTRIBUTE('snapshotId');
  return body.snapshotId;
}

/** Throws if a snapshot cannot be downloaded now. */
export async function checkDownload(tx: ReadTx, snapshot: SnapshotRow): Promise<void> {
  const { id, groupId, status } = snapshot;
  if (status !== 'completed') throw downloadFaults.CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT();
  if (snapshot.facts.encryption !== undefined)
    throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION();
  const open = await openDownloads(tx, groupId);
  if (open.some(({ source }) => source === id)) throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY();
  if (open.length >= MAX_DOWNLOADS) throw downloadFaults.TOO_MANY_SNAPSHOT_DOWNLOADS();
}

/** Whether a download can still be cancelled. Throws for the job of a single shard. */
export function isCancellable({ finished, ofShard }: DownloadRow): boolean {
  if (ofShard) throw downloadFaults.PLATFORM_BACKUP_CANCEL_SHARD_RESTORE_JOB_NOT_ALLOWED();
  return finished === undefined;
}
