import { faults } from '@portolan/foundation/faults';

export const downloadFaults = faults({
  CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT: [409, 'An incomplete snapshot cannot be downloaded.'],
  CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION: [
    400,
    'An encrypted snapshot cannot be downloaded, only restored.',
  ],
  CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY: [400, 'A download of this snapshot is already in progress.'],
  TOO_MANY_SNAPSHOT_DOWNLOADS: [400, 'A project can have at most 20 concurrent snapshot downloads.'],
  PLATFORM_BACKUP_CANCEL_SHARD_RESTORE_JOB_NOT_ALLOWED: [
    405,
    'A restore job of a single shard cannot be cancelled.',
  ],
});
