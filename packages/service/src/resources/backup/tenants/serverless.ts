import { generalFaults } from '../../../api/faults.ts';
import { requireServed } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { requireReachable } from '../continuous/reach.ts';
import { requestDownload } from '../downloads/changes.ts';
import { CLUSTER_HOURS, checkDownload, readDownload } from '../downloads/rules.ts';
import { requestRestore } from '../restores/changes.ts';
import { listRestores } from '../restores/list.ts';
import { presentRestore } from '../restores/present.ts';
import { readPointInTime, readRestore } from '../restores/rules.ts';
import { requireTarget } from '../restores/target.ts';
import { listSnapshots } from '../snapshots/list.ts';
import { presentServerlessSnapshot } from './present.ts';
import { checkTenantTarget, requireTenantRestore, requireTenantSnapshot } from './rules.ts';
import { ServerlessRestoreJob, ServerlessSnapshot } from './schema.ts';

export const listServerlessBackups = operation({
  id: 'listServerlessBackups',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/serverless/{clusterName}/backup/snapshots',
  summary: 'Lists the snapshots of a serverless instance, oldest first.',
  access: 'Project Read Only',
  reply: ServerlessSnapshot,
  list: 'page',
  status: 200,
  reachedFrom: { serverlessInstance: 'snapshots' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, clusterName } = call.params;
      const { id } = await requireServed('serverless', tx, groupId, clusterName);
      return listSnapshots(tx, id, call.page, presentServerlessSnapshot);
    }),
});

export const getServerlessBackup = operation({
  id: 'getServerlessBackup',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/serverless/{clusterName}/backup/snapshots/{snapshotId}',
  summary: 'Returns one snapshot of a serverless instance.',
  access: 'Project Read Only',
  reply: ServerlessSnapshot,
  status: 200,
  reachedFrom: { serverlessRestoreJob: 'snapshot' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, clusterName, snapshotId } = call.params;
      const cluster = await requireServed('serverless', tx, groupId, clusterName);
      return presentServerlessSnapshot(await requireTenantSnapshot(tx, cluster, snapshotId));
    }),
});

export const listServerlessBackupRestoreJobs = operation({
  id: 'listServerlessBackupRestoreJobs',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/serverless/{clusterName}/backup/restoreJobs',
  summary: 'Lists the restore jobs whose source or target is a serverless instance, oldest first.',
  access: 'Project Owner',
  reply: ServerlessRestoreJob,
  list: 'page',
  status: 200,
  reachedFrom: { serverlessInstance: 'restoreJobs' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, clusterName } = call.params;
      const cluster = await requireServed('serverless', tx, groupId, clusterName);
      return listRestores(tx, cluster.id, call.page, (row) => presentRestore(row, call.services));
    }),
});

export const createServerlessBackupRestoreJob = operation({
  id: 'createServerlessBackupRestoreJob',
  tag: 'Cloud Backups',
  method: 'POST',
  path: '/groups/{groupId}/serverless/{clusterName}/backup/restoreJobs',
  summary:
    'Restores a snapshot of a serverless instance to a cluster, or prepares the snapshot for download.',
  access: 'Project Owner',
  body: ServerlessRestoreJob,
  reply: ServerlessRestoreJob,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, clusterName } = call.params;
      const source = await requireServed('serverless', tx, groupId, clusterName);
      if (call.body.deliveryType === 'download') {
        // The contract requires a target in every body, although downloads ignore it.
        for (const name of ['targetClusterName', 'targetGroupId'] as const)
          if (call.body[name] === undefined) throw generalFaults.MISSING_ATTRIBUTE(name);
        const snapshot = await requireTenantSnapshot(tx, source, readDownload(call.body, []));
        await checkDownload(tx, snapshot);
        const row = await requestDownload(tx, snapshot, { hours: CLUSTER_HOURS }, call.actor);
        return presentRestore(row, call.services);
      }
      if (call.body.deliveryType === 'pointInTime') {
        const { moment, ...wanted } = readPointInTime(call.body);
        const snapshot = await requireReachable(tx, source, moment);
        const target = await requireTarget(tx, call, wanted);
        await checkTenantTarget(tx, snapshot, target);
        const row = await requestRestore(tx, source, { snapshot, target, moment }, call.actor);
        return presentRestore(row, call.services);
      }
      const wanted = readRestore(call.body);
      const snapshot = await requireTenantSnapshot(tx, source, wanted.snapshotId);
      const target = await requireTarget(tx, call, wanted);
      await checkTenantTarget(tx, snapshot, target);
      const row = await requestRestore(tx, source, { snapshot, target }, call.actor);
      return presentRestore(row, call.services);
    }),
});

export const getServerlessBackupRestoreJob = operation({
  id: 'getServerlessBackupRestoreJob',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/serverless/{clusterName}/backup/restoreJobs/{restoreJobId}',
  summary: 'Returns one restore job of a serverless instance.',
  access: 'Project Owner',
  reply: ServerlessRestoreJob,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, clusterName, restoreJobId } = call.params;
      const cluster = await requireServed('serverless', tx, groupId, clusterName);
      const row = await requireTenantRestore(tx, cluster, restoreJobId);
      return presentRestore(row, call.services);
    }),
});
