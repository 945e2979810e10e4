import { type PlannedTag, reference } from './planned.ts';

export const flexRestoreJobs: PlannedTag = {
  tag: 'Flex Restore Jobs',
  paths: {
    '/groups/{groupId}/flexClusters/{name}/backup/restoreJobs': {
      GET: reference('listFlexBackupRestoreJobs', '2024-11-13'),
      POST: reference('createFlexBackupRestoreJob', '2024-11-13'),
    },
    '/groups/{groupId}/flexClusters/{name}/backup/restoreJobs/{restoreJobId}': {
      GET: reference('getFlexBackupRestoreJob', '2024-11-13'),
    },
  },
};
