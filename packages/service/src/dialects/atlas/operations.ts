import type { OperationChange } from '../../api/dialect/dialect.ts';
import { withoutEmptyNamespaces } from './bodies.ts';

/**
 * How operations differ from the neutral form, besides their words; by operation id. Statuses are those that the
 * vendor's service returns, which sometimes differ from those of its documents.
 */
export const operations: Readonly<Record<string, OperationChange>> = {
  createAlertConfiguration: { status: 201 },
  createCustomDatabaseRole: { status: 202, prepare: withoutEmptyNamespaces },
  createLinkToken: { status: 201 },
  createProject: { status: 201 },
  createProjectIpAccessList: { status: 201 },
  createTeam: { status: 201 },
  createUser: { status: 201 },
  deferMaintenanceWindow: { status: 200 },
  deleteProject: { status: 202 },
  getMaintenanceWindow: { versions: 'contract' },
  getPlatformSearchDeployment: { versions: 'all' },
  toggleAwsCustomDns: { status: 202 },
  toggleMaintenanceAutoDefer: { status: 200 },
  updateAuditingConfiguration: { status: 202 },
  updateCustomDatabaseRole: { prepare: withoutEmptyNamespaces },
  updateMaintenanceWindow: { status: 200, versions: 'contract' },
};
