import { faults } from '@portolan/foundation/faults';

export const archiveFaults = faults({
  ONLINE_ARCHIVE_NOT_FOUND: [404, 'The cluster {1} has no online archive with the id {0}.'],
  ONLINE_ARCHIVES_LIMIT_EXCEEDED: [403, 'The cluster {0} has reached its limit of {1} online archives.'],
  ACTIVE_ONLINE_ARCHIVE_EXISTS: [
    409,
    'The collection {0} already has an online archive that is neither paused nor orphaned.',
  ],
  ONLINE_ARCHIVE_MUST_BE_ACTIVE_TO_PAUSE: [
    409,
    'An archive must be in an active state in order to be paused. This archive is in the state {0}.',
  ],
});
