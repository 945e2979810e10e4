import type { OperationChange } from '../../api/dialect/dialect.ts';

/** How operations differ from the neutral form, besides their words; by operation id. */
export const operations: Readonly<Record<string, OperationChange>> = {
  createAlertConfiguration: { status: 200 },
  createCustomDatabaseRole: { status: 202 },
  createLinkToken: { status: 200 },
  createProjectIpAccessList: { status: 200 },
  deferMaintenanceWindow: { status: 200 },
  toggleMaintenanceAutoDefer: { status: 200 },
  updateMaintenanceWindow: { status: 200 },
};
