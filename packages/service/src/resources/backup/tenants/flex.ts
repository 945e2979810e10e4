import { requireServed } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { requestDownload } from '../downloads/changes.ts';
import { checkDownload, TENANT_HOURS } from '../downloads/rules.ts';
import { requestRestore } from '../restores/changes.ts';
import { listRestores } from '../restores/list.ts';
import { findTarget } from '../restores/target.ts';
import { listSnapshots } from '../snapshots/list.ts';
import { tenantFaults } from './faults.ts';
import { presentFlexRestore, presentFlexSnapshot } from './present.ts';
import { checkTenantTarget, requireTenantRestore, requireTenantSnapshot } from './rules.ts';
import { FlexDownloadRequest, FlexRestoreJob, FlexRestoreRequest, FlexSnapshot } from './schema.ts';

export const listFlexBackups = operation({
  id: 'listFlexBackups',
  tag: 'Flex Snapshots',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters/{name}/backup/snapshots',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Lists the snapshots of a flex cluster, oldest first.',
  access: 'Project Read Only',
  reply: FlexSnapshot,
  list: 'page',
  status: 200,
  reachedFrom: { flexCluster: 'snapshots' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      return listSnapshots(tx, cluster.id, call.page, presentFlexSnapshot);
    }),
});

export const getFlexBackup = operation({
  id: 'getFlexBackup',
  tag: 'Flex Snapshots',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters/{name}/backup/snapshots/{snapshotId}',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Returns one snapshot of a flex cluster.',
  access: 'Project Read Only',
  reply: FlexSnapshot,
  status: 200,
  reachedFrom: { flexRestoreJob: 'snapshot' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      return presentFlexSnapshot(await requireTenantSnapshot(tx, cluster, call.params.snapshotId));
    }),
});

export const downloadFlexBackup = operation({
  id: 'downloadFlexBackup',
  tag: 'Flex Snapshots',
  method: 'POST',
  path: '/groups/{groupId}/flexClusters/{name}/backup/download',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Prepares a snapshot of a flex cluster for download.',
  access: 'Project Owner',
  body: FlexDownloadRequest,
  reply: FlexRestoreJob,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      const snapshot = await requireTenantSnapshot(tx, cluster, call.body.snapshotId);
      await checkDownload(tx, snapshot);
      const row = await requestDownload(tx, snapshot, { hours: TENANT_HOURS }, call.actor);
      return presentFlexRestore(row, cluster, call.services);
    }),
});

export const listFlexBackupRestoreJobs = operation({
  id: 'listFlexBackupRestoreJobs',
  tag: 'Flex Restore Jobs',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters/{name}/backup/restoreJobs',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Lists the restore jobs whose source or target is a flex cluster, oldest first.',
  access: 'Project Read Only',
  reply: FlexRestoreJob,
  list: 'page',
  status: 200,
  reachedFrom: { flexCluster: 'restoreJobs' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      return listRestores(tx, cluster.id, call.page, (row) =>
        presentFlexRestore(row, cluster, call.services),
      );
    }),
});

export const createFlexBackupRestoreJob = operation({
  id: 'createFlexBackupRestoreJob',
  tag: 'Flex Restore Jobs',
  method: 'POST',
  path: '/groups/{groupId}/flexClusters/{name}/backup/restoreJobs',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Restores a snapshot of a flex cluster to a cluster.',
  access: 'Project Owner',
  body: FlexRestoreRequest,
  reply: FlexRestoreJob,
  status: 200,
  repeatable: ({ params }) => ({ instanceName: params.name, projectId: params.groupId }),
  handler: (call) =>
    call.write(async (tx) => {
      const source = await requireServed('flex', tx, call.params.groupId, call.params.name);
      const { snapshotId, targetDeploymentItemName: targetClusterName } = call.body;
      const targetGroupId = call.body.targetProjectId ?? source.groupId;
      const snapshot = await requireTenantSnapshot(tx, source, snapshotId);
      const target = await findTarget(tx, call, { targetGroupId, targetClusterName });
      if (!target) throw tenantFaults.TENANT_RESTORE_DESTINATION_UNAVAILABLE(targetClusterName);
      await checkTenantTarget(tx, snapshot, target);
      const job = await requestRestore(tx, source, { snapshot, target }, call.actor);
      return presentFlexRestore(job, source, call.services);
    }),
});

export const getFlexBackupRestoreJob = operation({
  id: 'getFlexBackupRestoreJob',
  tag: 'Flex Restore Jobs',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters/{name}/backup/restoreJobs/{restoreJobId}',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Returns one restore job of a flex cluster.',
  access: 'Project Read Only',
  reply: FlexRestoreJob,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      const row = await requireTenantRestore(tx, cluster, call.params.restoreJobId);
      return presentFlexRestore(row, cluster, call.services);
    }),
});
