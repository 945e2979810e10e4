import { clusterFaults, findCluster, requireWithRetained } from '../../clusters/index.ts';
import { findProject } from '../../projects/index.ts';
import { operation } from '../../services.ts';
import { kindOf, requireSnapshot, requireSource } from '../snapshots/rules.ts';
import { requestRestore } from './changes.ts';
import { pageOfRestores, type RestoreRow } from './rows.ts';
import { checkTarget, readRestore, requireRestore, restoreFaults } from './rules.ts';
import { RestoreJob } from './schema.ts';

function presentRestore({ id, finished, facts }: RestoreRow) {
  return {
    id,
    cancelled: false,
    deliveryType: 'automated' as const,
    deliveryUrl: [],
    desiredTimestamp: { date: null, increment: null, time: null },
    expired: false,
    failed: facts.problem !== undefined,
    ...(finished === undefined ? {} : { finishedAt: finished }),
    snapshotId: facts.snapshotId,
    targetClusterName: facts.targetClusterName,
    targetGroupId: facts.targetGroupId,
    timestamp: facts.timestamp,
  };
}

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
      const project = await findProject(tx, wanted.targetGroupId);
      const scope = { kind: 'group', id: wanted.targetGroupId, orgId: project?.orgId ?? '' } as const;
      const own = call.scope?.kind === 'group' && call.scope.orgId === project?.orgId;
      if (!own || !call.may('Project Backup Manager', scope)) throw restoreFaults.CANNOT_RESTORE_TO_TARGET();
      const target = await findCluster(tx, wanted.targetGroupId, wanted.targetClusterName);
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
