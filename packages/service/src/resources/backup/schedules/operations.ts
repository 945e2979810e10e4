import { assertCan, type ClusterModel } from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { requireBucket } from '../buckets/rules.ts';
import { removeCopies } from '../copies/changes.ts';
import { guardCopies, guardSchedule } from '../model/compliance/guard.ts';
import type { AutoExport, Schedule } from '../model/schedules/policy.ts';
import { type ScheduleRow, scheduleOf } from '../model/schedules/rows.ts';
import { queueOplogCopies, removeOplogCopy } from '../oplog-copies/changes.ts';
import { requireBackedUp } from '../snapshots/rules.ts';
import { changeSchedule, ensureSchedule } from './changes.ts';
import { copiesToDelete, withCopies } from './copy-rules.ts';
import { revised } from './rules.ts';
import { BackupSchedule, FormerSchedule } from './schema.ts';

function presentSchedule({ id, name }: ClusterModel, { next, schedule }: ScheduleRow) {
  const { policyId, items, hour, minute, restoreWindowDays, namesInExportPrefix, extraRetention } = schedule;
  const { autoExport } = schedule;
  const copies = (schedule.copies ?? []).map(({ zone, zoneId, provider, region, frequencies, oplogs }) => ({
    cloudProvider: provider,
    frequencies: [...frequencies],
    regionName: region,
    // Versions before 2024-08-05 show `replicationSpecId`, and later versions show `zoneId`.
    replicationSpecId: zone,
    zoneId,
    shouldCopyOplogs: oplogs,
  }));
  return {
    autoExportEnabled: autoExport?.enabled === true,
    clusterId: id,
    clusterName: name,
    copySettings: copies,
    ...exported(autoExport),
    extraRetentionSettings: [...extraRetention],
    ...(next === undefined ? {} : { nextSnapshot: next }),
    policies: [{ id: policyId, policyItems: [...items] }],
    referenceHourOfDay: hour,
    referenceMinuteOfHour: minute,
    restoreWindowDays,
    useOrgAndGroupNamesInExportPrefix: namesInExportPrefix,
  };
}

/** Disables automatic exports when the items of the schedule are deleted. The bucket stays in the settings. */
const noExport = ({ autoExport }: Schedule): AutoExport => ({ ...autoExport, enabled: false });

/** Returns the fields of the response for the export settings. Empty if no caller has ever set an export. */
function exported({ bucketId, frequencyType }: AutoExport = { enabled: false }) {
  if (bucketId === undefined && frequencyType === undefined) return {};
  const bucket = bucketId === undefined ? {} : { exportBucketId: bucketId };
  return { export: { ...bucket, ...(frequencyType === undefined ? {} : { frequencyType }) } };
}

export const getBackupSchedule = operation({
  id: 'getBackupSchedule',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/schedule',
  summary: 'Returns the backup schedule of a cluster.',
  access: 'Project Read Only',
  versions: { '2023-01-01': { reply: FormerSchedule }, '2024-08-05': 'same', '2025-03-12': 'same' },
  reply: BackupSchedule,
  status: 200,
  reachedFrom: { cluster: 'backupSchedule' },
  async handler(call) {
    const found = await call.read(async (tx) => {
      const cluster = await requireBackedUp(tx, call.params);
      const row = await scheduleOf(tx, cluster.id);
      return row && presentSchedule(cluster, row);
    });
    if (found) return found;
    return call.write(async (tx) => {
      const cluster = await requireBackedUp(tx, call.params);
      return presentSchedule(cluster, await ensureSchedule(tx, cluster));
    });
  },
});

export const updateBackupSchedule = operation({
  id: 'updateBackupSchedule',
  tag: 'Cloud Backups',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/schedule',
  summary: 'Changes the backup schedule of a cluster; omitted fields keep their values.',
  access: 'Project Owner',
  versions: {
    '2023-01-01': { body: FormerSchedule, reply: FormerSchedule },
    '2024-08-05': 'same',
    '2025-03-12': 'same',
  },
  body: BackupSchedule,
  reply: BackupSchedule,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireBackedUp(tx, call.params);
      const { autoExportEnabled, copySettings = [] } = call.body;
      if (autoExportEnabled === true || copySettings.length > 0) assertCan(cluster, 'snapshotFiles');
      const before = await ensureSchedule(tx, cluster);
      if ((call.body.deleteCopiedBackups ?? []).length > 0) await guardCopies(tx, cluster.groupId);
      const schedule = withCopies(
        revised(before.schedule, call.body, cluster, () => tx.id()),
        call.body,
        cluster,
      );
      await guardSchedule(tx, cluster.groupId, schedule);
      for (const region of copiesToDelete(call.body, cluster)) {
        await removeCopies(tx, cluster, region);
        await removeOplogCopy(tx, cluster, region);
      }
      const bucketId = call.body.export?.exportBucketId;
      if (bucketId !== undefined) await requireBucket(tx, call.params.groupId, bucketId);
      const change = { schedule, updateSnapshots: call.body.updateSnapshots === true };
      const row = await changeSchedule(tx, cluster, change, call.actor);
      if (call.body.copySettings !== undefined) await queueOplogCopies(tx, cluster);
      return presentSchedule(cluster, row);
    }),
});

export const deleteAllBackupSchedules = operation({
  id: 'deleteAllBackupSchedules',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/schedule',
  summary:
    'Removes all items from the backup schedule of a cluster. Existing snapshots are kept until they expire.',
  access: 'Project Platform Admin or Backup Manager',
  versions: { '2023-01-01': { reply: FormerSchedule }, '2024-08-05': 'same', '2025-03-12': 'same' },
  reply: BackupSchedule,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireBackedUp(tx, call.params);
      const before = await ensureSchedule(tx, cluster);
      const change = {
        schedule: { ...before.schedule, items: [], autoExport: noExport(before.schedule) },
        updateSnapshots: false,
      };
      await guardSchedule(tx, cluster.groupId, change.schedule);
      return presentSchedule(cluster, await changeSchedule(tx, cluster, change, call.actor));
    }),
});
