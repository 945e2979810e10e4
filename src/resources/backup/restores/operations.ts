import { clusterFaults, requireWithRetained } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { kindOf, requireSnapshot, requireSource } from '../snapshots/rules.ts';
import { requestRestore } from './changes.ts';
import { presentRestore } from './present.ts';
import { pageOfRestores } from './rows.ts';
import { checkTarget, readRestore, requireRestore, restoreFaults } from './rules.ts';
import { RestoreJob } from './schema.ts';
import { findTarget } from './target.ts';

export const listBackupRestoreJobs = operation('listBackupRestoreJobs', {
  summary: 'Lists the restores of the snapshots of a cluster, the oldest first.',
  access: 'Project Backup Manager',
  reply: RestoreJob,
  list: 'page',
  status: 200,
  reachedFrom: { cluster: 'restoreJobs' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireWithRetained(tx, call.params);
      const { rows, next } = await pageOfRestores(tx, cluster.id, call.page);
      return { results: rows.map(presentRestore), next };
    }),
});

export const createBackupRestoreJob = operation('createBackupRestoreJob', {
  summary: 'Restores a snapshot into its cluster or another one.',
  access: 'Project Backup Manager',
  body: RestoreJob,
  reply: RestoreJob,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const wanted = readRestore(call.body);
      const at = { ...call.params, snapshotId: wanted.snapshotId };
      const source = await requireSource(tx, at);
      const snapshot = await requireSnapshot(tx, at, kindOf(source));
      const target = await findTarget(tx, call, wanted);
      if (!target) throw clusterFaults.CLUSTER_NOT_FOUND(wanted.targetClusterName, wanted.targetGroupId);
      await checkTarget(tx, snapshot, target);
      return presentRestore(await requestRestore(tx, source, { snapshot, target }, call.actor));
    }),
});

export const getBackupRestoreJob = operation('getBackupRestoreJob', {
  summary: 'Answers how far a restore is.',
  access: 'Project Backup Manager',
  reply: RestoreJob,
  status: 200,
  handler: (call) => call.read(async (tx) => presentRestore(await requireRestore(tx, call.params))),
});

export const cancelBackupRestoreJob = operation('cancelBackupRestoreJob', {
  summary: 'Refused: restores into clusters are not cancelled.',
  access: 'Project Backup Manager',
  status: 204,
  handler: (call) =>
    call.read(async (tx) => {
      await requireRestore(tx, call.params);
      throw restoreFaults.CANNOT_CANCEL_AUTOMATED_RESTORE();
    }),
});
