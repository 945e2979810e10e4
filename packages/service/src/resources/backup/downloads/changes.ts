import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { Archive } from '../model/restores/rows.ts';
import {
  type Compared,
  insertRestore,
  openDownloads,
  type RestoreRow,
  updateRestore,
} from '../model/restores/rows.ts';
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
  /** Only this shard of the snapshot. */
  readonly shard?: { readonly id: string; readonly replicaSetName: string } | undefined;
}

/** Enqueues the task that makes the archives of a snapshot. */
export async function requestDownload(
  tx: Tx,
  snapshot: SnapshotRow,
  { hours, shard }: DownloadOptions,
  actor: Actor,
): Promise<RestoreRow> {
  const { groupId, clusterId, host, created = tx.now, facts } = snapshot;
  const names = facts.sharded?.members.map(({ replicaSetName }) => replicaSetName);
  const members = shard === undefined ? names : [shard.replicaSetName];
  const row: RestoreRow = {
    id: tx.id(),
    groupId,
    clusterId,
    targetId: '',
    finished: undefined,
    facts: {
      snapshotId: shard?.id ?? snapshot.id,
      timestamp: created.toISOString(),
      snapshotFinished: facts.ended,
      requested: tx.now.toISOString(),
      download: {
        hours,
        source: snapshot.id,
        host,
        clusterName: facts.clusterName,
        ...(members === undefined ? {} : { members }),
        ...(shard === undefined ? {} : { ofShard: true }),
      },
    },
  };
  await insertRestore(tx, row);
  await record(tx, 'CPS_RESTORE_REQUESTED_AUDIT', row, actor);
  await enqueue(tx, PACK, { key: lineOf(row), payload: workOn(row), host });
  return row;
}

export async function beginDownload(tx: Tx, row: RestoreRow): Promise<void> {
  await updateRestore(tx, { ...row, facts: { ...row.facts, begun: true } });
}

/** Offers the archives for download until they expire. */
export async function offerDownload(
  tx: Tx,
  row: RestoreRow,
  { archives, compared }: { readonly archives: readonly Archive[]; readonly compared: Compared },
): Promise<void> {
  const { download } = row.facts;
  if (download === undefined) return;
  const end = new Date(tx.now.getTime() + download.hours * HOUR_MS);
  const ready = { ...download, archives, expiresAt: end.toISOString() };
  await updateRestore(tx, { ...row, facts: { ...row.facts, compared, download: ready } });
  await enqueue(tx, UNLINK, { key: `${lineOf(row)}:end`, payload: workOn(row), runAt: end });
  await record(tx, 'CPS_RESTORE_SUCCESSFUL', row, system);
}

/** Ends a download: its links become invalid and its archives are removed. */
export async function endDownload(
  tx: Tx,
  row: RestoreRow,
  end: 'cancelled' | 'expired' | { readonly problem: string },
): Promise<void> {
  const { download } = row.facts;
  if (download === undefined) return;
  const failed = typeof end !== 'string';
  const facts = failed ? end : { download: { ...download, ended: end } };
  await updateRestore(tx, { ...row, finished: tx.now, facts: { ...row.facts, ...facts } });
  if (failed) await record(tx, 'CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED', row, system);
  await removeArchives(tx, row);
}

/** Enqueues the removal after the task that makes the archives, so that no archive is made after the removal. */
async function removeArchives(tx: Tx, row: RestoreRow): Promise<void> {
  const host = row.facts.download?.host;
  if (host !== undefined) await enqueue(tx, REMOVE, { key: lineOf(row), payload: workOn(row), host });
}

/** Ends the downloads of removed snapshots: pending ones fail, ready ones expire. */
export async function endDownloadsOf(tx: Tx, groupId: string, gone: ReadonlySet<string>): Promise<void> {
  for (const row of await openDownloads(tx, groupId)) {
    const { download } = row.facts;
    if (download === undefined || !gone.has(download.source)) continue;
    const ready = download.archives !== undefined;
    await endDownload(tx, row, ready ? 'expired' : { problem: 'the snapshot was deleted' });
  }
}

const lineOf = ({ id }: RestoreRow) => `download:${id}`;
const workOn = ({ id, clusterId }: RestoreRow): DownloadWork => ({ restoreId: id, clusterId });

function record(tx: Tx, type: string, { groupId, facts }: RestoreRow, actor: Actor): Promise<void> {
  const clusterName = facts.download?.clusterName;
  return recordInProject(tx, groupId, { type, actor, ...(clusterName && { clusterName }) });
}
