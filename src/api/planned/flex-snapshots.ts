import { type PlannedTag, reference } from './planned.ts';

export const flexSnapshots: PlannedTag = {
  tag: 'Flex Snapshots',
  paths: {
    '/groups/{groupId}/flexClusters/{name}/backup/download': {
      POST: reference('downloadFlexBackup', '2024-11-13'),
    },
    '/groups/{groupId}/flexClusters/{name}/backup/snapshots': {
      GET: reference('listFlexBackups', '2024-11-13'),
    },
    '/groups/{groupId}/flexClusters/{name}/backup/snapshots/{snapshotId}': {
      GET: reference('getFlexBackup', '2024-11-13'),
    },
  },
};
