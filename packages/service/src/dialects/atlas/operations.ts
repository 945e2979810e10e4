import type { OperationChange } from '../../api/dialect/dialect.ts';
import {
  withCheckedTags,
  withFreeWindow,
  withoutEmptyNamespaces,
  withoutSharedDisk,
  withoutZeroIntervals,
  withTrimmedFilter,
  withUsernames,
} from './bodies.ts';

/**
 * How operations differ from the neutral form, by operation id. Differences in words are declared elsewhere. Statuses
 * are those of the vendor's service, whose documentation sometimes names other statuses.
 */
export const operations: Readonly<Record<string, OperationChange>> = {
  createAlertConfiguration: { status: 201, prepare: withoutZeroIntervals },
  createCluster: { prepare: withCheckedTags, omitsEmpty: ['tags'] },
  createCustomDatabaseRole: { status: 202, prepare: withoutEmptyNamespaces },
  createFlexCluster: { prepare: withCheckedTags, omitsEmpty: ['tags'] },
  createLinkToken: { status: 201 },
  createProject: { status: 201, prepare: withCheckedTags },
  createProjectIpAccessList: { status: 201 },
  createPushBasedLogExport: { status: 200 },
  createTeam: { status: 201, optional: ['usernames'], prepare: withUsernames },
  createUser: { status: 201 },
  deleteCustomerX509: { status: 202 },
  deleteLdapUserMapping: { status: 202 },
  deletePushBasedLogExport: { status: 200 },
  deferMaintenanceWindow: { status: 200 },
  deleteProject: { status: 202 },
  getMaintenanceWindow: { versions: 'contract' },
  getPlatformSearchDeployment: { versions: 'all' },
  toggleAwsCustomDns: { status: 202 },
  toggleMaintenanceAutoDefer: { status: 200 },
  upgradeSharedCluster: { prepare: withoutSharedDisk },
  updateAlertConfiguration: { prepare: withoutZeroIntervals },
  updateAuditingConfiguration: { status: 202, prepare: withTrimmedFilter },
  updateBackupSchedule: { prepare: withFreeWindow },
  updateCluster: { prepare: withCheckedTags },
  updateCustomDatabaseRole: { prepare: withoutEmptyNamespaces },
  updateFlexCluster: { prepare: withCheckedTags },
  updateMaintenanceWindow: { status: 200, versions: 'contract' },
  updatePushBasedLogExport: { status: 200 },
  updateUserSecurity: { status: 202 },
  updateProject: { prepare: withCheckedTags },
};
