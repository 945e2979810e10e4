import { faults } from '@portolan/foundation/faults';

export const complianceFaults = faults({
  BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID: [400, 'The backup compliance policy is not valid: {0}.'],
  CANNOT_UPDATE_BACKUP_COMPLIANCE_POLICY_SETTINGS_WITH_PENDING_ACTION: [
    400,
    'The backup compliance policy is being changed.',
  ],
  BACKUP_POLICIES_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS: [
    400,
    'The backup schedules of these clusters ask for less than the backup compliance policy: {0}.',
  ],
  BACKUP_POLICY_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS: [
    400,
    'The backup schedule asks for less than the backup compliance policy of the project.',
  ],
  CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'A backup compliance policy does not let the restore window become shorter.',
  ],
  CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'A backup compliance policy does not let continuous backup be switched off.',
  ],
  CANNOT_DISABLE_CLOUD_BACKUP_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'A backup compliance policy does not let backups be switched off.',
  ],
  CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy requires encryption with a key of the customer.',
  ],
  CANNOT_DELETE_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'A backup compliance policy does not let snapshots be deleted.',
  ],
  CANNOT_DELETE_COPY_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY_ENABLED: [
    400,
    'The backup compliance policy does not let copies of snapshots be deleted.',
  ],
  CANNOT_DECREASE_SNAPSHOT_RETENTION_WITH_BACKUP_COMPLIANCE_POLICY: [
    400,
    'A backup compliance policy does not let a snapshot be kept for less long.',
  ],
  SNAPSHOT_RETENTION_LESS_THAN_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy keeps snapshots for {0} days at least.',
  ],
  CANNOT_DISABLE_BACKUP_COMPLIANCE_POLICY: [
    400,
    'The backup compliance policy stays until the operator lets it be ended.',
  ],
  CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY: [
    409,
    'A project with a backup compliance policy cannot be closed.',
  ],
});
