import { countOf } from '../../../store/index.ts';
import { requireNamed } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { requireBucket } from '../buckets/rules.ts';
import { ClusterQuery } from '../model/cluster-query.ts';
import { exportCount, pageOfExports } from '../model/exports/rows.ts';
import { kindOf, requireSnapshot, requireSource } from '../snapshots/rules.ts';
import { requestExport } from './changes.ts';
import { presentExport } from './present.ts';
import { requireExport } from './rules.ts';
import { ExportJob, ExportRequest } from './schema.ts';

export const listBackupExportJobs = operation({
  id: 'listBackupExportJobs',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/exports',
  summary: 'Lists the export jobs of a cluster, oldest first.',
  access: 'Project Platform Admin or Backup Manager',
  query: ClusterQuery,
  reply: ExportJob,
  list: 'page',
  status: 200,
  reachedFrom: { cluster: 'exports' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireNamed(tx, call.params, call.query.clusterId);
      const { rows, next } = await pageOfExports(tx, cluster.id, call.page);
      const totalCount = call.page.includeCount ? await countOf(tx, exportCount, cluster.id) : undefined;
      return { results: rows.map((row) => presentExport(row)), next, totalCount };
    }),
});

export const createBackupExportJob = operation({
  id: 'createBackupExportJob',
  tag: 'Cloud Backups',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/exports',
  summary: 'Exports a snapshot to a bucket as compressed JSON files.',
  access: 'Project Platform Admin or Backup Manager',
  body: ExportRequest,
  reply: ExportJob,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { snapshotId, exportBucketId, customData } = call.body;
      const at = { ...call.params, snapshotId };
      const cluster = await requireSource(tx, at);
      const snapshot = await requireSnapshot(tx, at, kindOf(cluster));
      const { id: bucketId } = await requireBucket(tx, call.params.groupId, exportBucketId);
      return presentExport(await requestExport(tx, cluster, { snapshot, bucketId, customData }));
    }),
});

export const getBackupExportJob = operation({
  id: 'getBackupExportJob',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/exports/{exportId}',
  summary: 'Returns the state of an export job, or of its part for one shard.',
  access: 'Project Platform Admin or Backup Manager',
  reply: ExportJob,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => presentExport(await requireExport(tx, call.params), call.params.exportId)),
});
