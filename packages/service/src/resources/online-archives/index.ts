import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { archiveFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { archiveTimetable, moveArchive, pauseArchive, startRuns } from './tasks.ts';

export const family: Family = {
  name: 'online-archives',
  operations: operationsIn(operations),
  parameters: { archiveId: { description: 'Id of the online archive.', pattern: ID_PATTERN } },
  migrations,
  tasks: [startRuns, moveArchive, pauseArchive],
  timetable: [archiveTimetable],
  eventTypes: {
    ONLINE_ARCHIVE_CREATED: 'Online archive was created',
    ONLINE_ARCHIVE_UPDATED: 'Online archive was changed',
    ONLINE_ARCHIVE_DELETED: 'Online archive was removed',
    ONLINE_ARCHIVE_ACTIVE: 'Online archive moves documents',
    ONLINE_ARCHIVE_PAUSE_REQUESTED: 'Online archive is being paused',
    ONLINE_ARCHIVE_PAUSED: 'Online archive was paused',
    ONLINE_ARCHIVE_FAILED: 'Online archive could not move documents',
    ONLINE_ARCHIVE_ORPHANED: 'Collection of an online archive no longer exists',
  },
  faults: [archiveFaults],
};
