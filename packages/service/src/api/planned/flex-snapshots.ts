import { plannedTag, reference } from './planned.ts';

export const flexSnapshots = plannedTag('Flex Snapshots', {
  downloadFlexBackup: reference('POST /groups/{groupId}/flexClusters/{name}/backup/download', '2024-11-13'),
  listFlexBackups: reference('GET /groups/{groupId}/flexClusters/{name}/backup/snapshots', '2024-11-13'),
  getFlexBackup: reference(
    'GET /groups/{groupId}/flexClusters/{name}/backup/snapshots/{snapshotId}',
    '2024-11-13',
  ),
});
