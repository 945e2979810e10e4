import { plannedTag, reference } from './planned.ts';

export const flexRestoreJobs = plannedTag('Flex Restore Jobs', {
  listFlexBackupRestoreJobs: reference(
    'GET /groups/{groupId}/flexClusters/{name}/backup/restoreJobs',
    '2024-11-13',
  ),
  createFlexBackupRestoreJob: reference(
    'POST /groups/{groupId}/flexClusters/{name}/backup/restoreJobs',
    '2024-11-13',
  ),
  getFlexBackupRestoreJob: reference(
    'GET /groups/{groupId}/flexClusters/{name}/backup/restoreJobs/{restoreJobId}',
    '2024-11-13',
  ),
});
