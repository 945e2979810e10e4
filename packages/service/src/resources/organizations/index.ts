import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { organizationFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as organizations from './operations.ts';
import { findOrganization } from './rows.ts';
import * as settings from './settings/operations.ts';

export { addOrganization, type NewOrganization } from './changes.ts';
export { organizationFaults } from './faults.ts';
export { organizationCreated, organizationRemoving } from './hooks.ts';
export { isName, Name } from './names.ts';
export { findOrganization, organizationNames } from './rows.ts';
export { projectCount } from './rules.ts';
export { RoleAssignment, roleAssignments } from './schema.ts';
export { ServiceAccountSecret, serviceAccountFields } from './service-accounts.ts';
export { readSettings } from './settings/settings.ts';

export const family: Family = {
  name: 'organizations',
  operations: operationsIn(organizations, settings),
  parameters: {
    orgId: {
      description: 'Id of the organization.',
      pattern: ID_PATTERN,
      malformed: organizationFaults.INVALID_ORG_ID,
      scope: {
        async load(tx, id) {
          return (await findOrganization(tx, id)) && { kind: 'org', id };
        },
        missing: organizationFaults.ORG_NOT_FOUND,
      },
    },
  },
  migrations,
  eventTypes: {
    ORG_CREATED: 'Organization was created',
    ORG_EMPLOYEE_ACCESS_RESTRICTED: 'Access by employees was restricted',
    ORG_EMPLOYEE_ACCESS_UNRESTRICTED: 'Restriction of employee access was removed',
    ORG_PUBLIC_API_ACCESS_LIST_NOT_REQUIRED: 'API access lists were made optional',
    ORG_PUBLIC_API_ACCESS_LIST_REQUIRED: 'API access lists were made mandatory',
    ORG_SERVICE_ACCOUNT_MAX_SECRET_VALIDITY_EDITED: 'Maximum validity of service account secrets was changed',
    ORG_TWO_FACTOR_AUTH_OPTIONAL: 'Multi-factor authentication was made optional',
    ORG_TWO_FACTOR_AUTH_REQUIRED: 'Multi-factor authentication was made mandatory',
    ORG_RENAMED: 'Organization was renamed',
    API_KEY_CREATED: 'API key was created',
  },
  faults: [organizationFaults],
};
