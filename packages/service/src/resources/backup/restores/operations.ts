import type { ReadTx } from '../../../store/index.ts';
import { requireNamed } from '../../clusters/index.ts';
import { operation, type Services } from '../../services.ts';
import { requireReachable } from '../continuous/reach.ts';
import { endDownload } from '../downloads/changes.ts';
import { isCancellable, readDownload } from '../downloads/rules.ts';
import { startDownload } from '../downloads/start.ts';
import { ClusterQuery } from '../model/cluster-query.ts';
import type { JobRow } from '../model/jobs/rows.ts';
import { type ClusterPath, lackingOfJob } from '../model/lacking-links.ts';
import { type SnapshotRow, snapshotById } from '../model/snapshots/rows.ts';
import { rejectDeleted } from '../snapshots/deleted/rules.ts';
import { kindOf, rejectMember, requireHistory, requireSnapshot, requireSource } from '../snapshots/rules.ts';
import { requestRestore } from './changes.ts';
import { restoreFaults } from './faults.ts';
import { listRestores } from './list.ts';
import { presentClusterRestore } from './present.ts';
import { checkTarget, readPointInTime, readRestore, requireRestore } from './rules.ts';
import { RestoreJob } from './schema.ts';
import { requireTarget } from './target.ts';

/**
 * The fields that name the target cluster. Downloads have no target. In requests for downloads, the first version
 * requires these fields and ignores them. Later versions reject them.
 */
const NO_TARGETS = ['targetClusterName', 'targetGroupId'] as const;

export const listBackupRestoreJobs = operation({
  id: 'listBackupRestoreJobs',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs',
  summary: 'Lists the restore jobs whose source or target is a cluster, oldest first.',
  access: 'Project Backup Manager',
  query: ClusterQuery,
  reply: RestoreJob,
  list: 'page',
  status: 200,
  reachedFrom: { cluster: 'restoreJobs' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireNamed(tx, call.params, call.query.clusterId);
      return listRestores(tx, cluster.id, call.page, (row) => presentClusterRestore(row, call.services));
    }),
});

export const createBackupRestoreJob = operation({
  id: 'createBackupRestoreJob',
  tag: 'Cloud Backups',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs',
  summary: 'Restores a snapshot or a point in time to a cluster, or prepares a snapshot for download.',
  access: 'Project Backup Manager',
  query: ClusterQuery,
  body: RestoreJob,
  reply: RestoreJob,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      if (call.body.deliveryType === 'download') {
        const refused = call.version === '2023-01-01' ? [] : NO_TARGETS;
        const at = { ...call.params, snapshotId: readDownload(call.body, refused) };
        const { row, snapshot } = await startDownload(tx, at, call.actor);
        return shown(tx, call, row, snapshot);
      }
      if (call.body.deliveryType === 'pointInTime') {
        const { moment, ...wanted } = readPointInTime(call.body);
        const source = await requireHistory(tx, call.params, call.query.clusterId);
        const snapshot = await requireReachable(tx, source, moment);
        const target = await requireTarget(tx, call, wanted);
        await checkTarget(tx, snapshot, target);
        const row = await requestRestore(tx, source, { snapshot, target, moment }, call.actor);
        return shown(tx, call, row, snapshot);
      }
      const wanted = readRestore(call.body);
      const at = { ...call.params, snapshotId: wanted.snapshotId };
      await rejectDeleted(tx, at);
      await rejectMember(tx, at, restoreFaults.AUTOMATED_RESTORE_OF_SHARD_NOT_ALLOWED);
      const source = await requireSource(tx, at);
      const snapshot = await requireSnapshot(tx, at, kindOf(source));
      const target = await requireTarget(tx, call, wanted);
      await checkTarget(tx, snapshot, target);
      const row = await requestRestore(tx, source, { snapshot, target }, call.actor);
      return shown(tx, call, row, snapshot);
    }),
});

export const getBackupRestoreJob = operation({
  id: 'getBackupRestoreJob',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs/{restoreJobId}',
  summary: 'Returns one restore job.',
  access: 'Project Backup Manager',
  reply: RestoreJob,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const row = await requireRestore(tx, call.params);
      const snapshot = row.snapshotId === undefined ? undefined : await snapshotById(tx, row.snapshotId);
      return shown(tx, call, row, snapshot);
    }),
});

export const cancelBackupRestoreJob = operation({
  id: 'cancelBackupRestoreJob',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs/{restoreJobId}',
  summary: 'Cancels a download and invalidates its links. Other restore jobs cannot be cancelled.',
  access: 'Project Backup Manager',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await requireRestore(tx, call.params);
      if (row.kind !== 'download' || !isCancellable(row))
        throw restoreFaults.CANNOT_CANCEL_AUTOMATED_RESTORE();
      await endDownload(tx, row, 'cancelled');
    }),
});

/**
 * Returns a job as the response of an operation, with its links. `snapshot` is the snapshot of the job, if it still
 * exists.
 */
async function shown(
  tx: ReadTx,
  { params, services }: { readonly params: ClusterPath; readonly services: Services },
  row: JobRow,
  snapshot: SnapshotRow | undefined,
) {
  return { ...presentClusterRestore(row, services), ...(await lackingOfJob(tx, params, row, snapshot)) };
}
