import { faults } from '@portolan/foundation/faults';

export const complianceFaults = faults({
  BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID: [400, 'The backup compliance policy is not valid: {0}.'],
  CANNOT_UPDATE_BACKUP_COMPLIANCE_POLICY_SETTINGS_WITH_PENDING_ACTION: [
    400,
    'A change of the backup compliance policy is still pending.',
  ],
  BACKUP_POLICIES_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS: [
    400,
    'The backup schedules of these clusters do not meet the backup compliance policy: {0}.',
  ],
  BACKUP_POLICY_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS: [
    400,
    'The backup schedule does not meet the backup compliance policy of the project.',
  ],
  CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy does not allow a shorter restore window.',
  ],
  CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy does not allow continuous backup to be disabled.',
  ],
  CANNOT_DISABLE_CLOUD_BACKUP_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy does not allow cloud backup to be disabled.',
  ],
  CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy requires encryption with a customer-managed key.',
  ],
  CANNOT_DELETE_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy does not allow snapshots to be deleted.',
  ],
  CANNOT_DELETE_COPY_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY_ENABLED: [
    400,
    'The backup compliance policy does not allow copies of snapshots to be deleted.',
  ],
  CANNOT_DECREASE_SNAPSHOT_RETENTION_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy does not allow the retention of a snapshot to decrease.',
  ],
  SNAPSHOT_RETENTION_LESS_THAN_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy requires a retention of at least {0} days.',
  ],
  CANNOT_DISABLE_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy can be disabled only after an operator has approved this.',
  ],
  CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY: [
    409,
    'A project with a backup compliance policy cannot be deleted.',
  ],
});
