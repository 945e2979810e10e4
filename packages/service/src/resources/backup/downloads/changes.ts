import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { Compared } from '../model/compared.ts';
import {
  type Archive,
  type DownloadRow,
  insertDownload,
  openDownloads,
  updateDownload,
} from '../model/downloads/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';

export const PACK = { kind: 'backup.pack' };
export const UNLINK = { kind: 'backup.unlink' };
export const REMOVE = { kind: 'backup.remove-archives' };

const HOUR_MS = 3_600_000;

export interface DownloadWork {
  readonly restoreId: string;
  readonly clusterId: string;
}

interface DownloadOptions {
  readonly hours: number;
  /** The only shard to download; by default, all shards. */
  readonly shard?: { readonly id: string; readonly replicaSetName: string } | undefined;
}

/** Enqueues the task that makes the archives of a snapshot. */
export async function requestDownload(
  tx: Tx,
  snapshot: SnapshotRow,
  { hours, shard }: DownloadOptions,
  actor: Actor,
): Promise<DownloadRow> {
  const { groupId, clusterId, host, created = tx.now, facts } = snapshot;
  const names = facts.sharded?.members.map(({ replicaSetName }) => replicaSetName);
  const members = shard === undefined ? names : [shard.replicaSetName];
  const row: DownloadRow = {
    kind: 'download',
    id: tx.id(),
    groupId,
    clusterId,
    clusterName: facts.clusterName,
    host,
    snapshotId: shard?.id ?? snapshot.id,
    source: snapshot.id,
    timestamp: created,
    snapshotFinished: facts.ended ?? created,
    members,
    ofShard: shard !== undefined,
    hours,
    requested: tx.now,
    begun: false,
    finished: undefined,
  };
  await insertDownload(tx, row);
  await record(tx, 'CPS_RESTORE_REQUESTED_AUDIT', row, actor);
  await enqueue(tx, PACK, { key: lineOf(row), owner: row.groupId, payload: workOn(row), host });
  return row;
}

export async function beginDownload(tx: Tx, row: DownloadRow): Promise<void> {
  await updateDownload(tx, { ...row, begun: true });
}

/** Offers the archives for download until they expire. */
export async function offerDownload(
  tx: Tx,
  row: DownloadRow,
  { archives, compared }: { readonly archives: readonly Archive[]; readonly compared: Compared },
): Promise<void> {
  const end = new Date(tx.now.getTime() + row.hours * HOUR_MS);
  await updateDownload(tx, { ...row, archives, compared, expires: end });
  await enqueue(tx, UNLINK, {
    key: `${lineOf(row)}:end`,
    owner: row.groupId,
    payload: workOn(row),
    runAt: end,
  });
  await record(tx, 'CPS_RESTORE_SUCCESSFUL', row, system);
}

/** Ends a download: its links become invalid and its archives are removed. */
export async function endDownload(
  tx: Tx,
  row: DownloadRow,
  end: 'cancelled' | 'expired' | { readonly problem: string },
): Promise<void> {
  const failed = typeof end !== 'string';
  await updateDownload(tx, { ...row, finished: tx.now, ...(failed ? end : { ended: end }) });
  if (failed) await record(tx, 'CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED', row, system);
  await removeArchives(tx, row);
}

/**
 * Enqueues the removal in the queue of the task that makes the archives, so that no archive is made after the removal.
 */
async function removeArchives(tx: Tx, row: DownloadRow): Promise<void> {
  await enqueue(tx, REMOVE, { key: lineOf(row), owner: row.groupId, payload: workOn(row), host: row.host });
}

/** Ends the downloads of removed snapshots: those in progress fail, and those that are ready expire. */
export async function endDownloadsOf(tx: Tx, groupId: string, gone: ReadonlySet<string>): Promise<void> {
  for (const row of await openDownloads(tx, groupId)) {
    if (!gone.has(row.source)) continue;
    const ready = row.archives !== undefined;
    await endDownload(tx, row, ready ? 'expired' : { problem: 'the snapshot was deleted' });
  }
}

const lineOf = ({ id }: DownloadRow) => `download:${id}`;
const workOn = ({ id, clusterId }: DownloadRow): DownloadWork => ({ restoreId: id, clusterId });

function record(tx: Tx, type: string, { groupId, clusterName }: DownloadRow, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, { type, actor, clusterName });
}
