import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export { auditingChanged } from './changes.ts';
export { auditingSpec } from './rules.ts';

export const family: Family = {
  name: 'auditing',
  operations: operationsIn(operations),
  migrations,
  eventTypes: { AUDIT_LOG_CONFIGURATION_UPDATED: 'Audit configuration of a project was changed' },
};
