import { faults } from '@portolan/foundation/faults';

export const scheduleFaults = faults({
  INVALID_BACKUP_POLICY: [400, 'The backup policy is not valid: {0}.'],
  MISSING_POLICY_ITEM_PARAMETERS: [400, 'An item of the backup policy lacks {0}.'],
  INVALID_NUM_OF_POLICY_ITEMS: [400, 'A backup policy must have at least one item.'],
  INVALID_NUM_OF_POLICIES: [400, 'A cluster must have exactly one backup policy.'],
  INVALID_POLICY_ID: [400, '{0} is not the id of the backup policy of the cluster.'],
  INVALID_POLICY_ITEM_ID: [400, 'The backup policy has no item with the id {0}.'],
  INVALID_FREQUENCY_TYPE_CHANGE: [400, 'The frequencyType of the backup policy item {0} cannot change.'],
  INVALID_REFERENCE_HOUR_OF_DAY: [400, 'referenceHourOfDay must be between 0 and 23.'],
  INVALID_REFERENCE_MINUTE_OF_HOUR: [400, 'referenceMinuteOfHour must be between 0 and 59.'],
  INVALID_RESTORE_WINDOW: [
    400,
    'restoreWindowDays must be at least 1 and at most the retention of the hourly item.',
  ],
});
