import { ID_PATTERN } from '../../runtime/ids.ts';
import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from './operations.ts';
import { findOrganization } from './rows.ts';
import { organizationFaults } from './rules.ts';

export { addOrganization } from './operations.ts';
export { findOrganization } from './rows.ts';
export { isName, organizationFaults, orgCounters } from './rules.ts';

export const family: Family = {
  name: 'organizations',
  operations: [
    listOrganizations,
    createOrganization,
    getOrganization,
    updateOrganization,
    deleteOrganization,
  ],
  parameters: {
    orgId: {
      description: 'The organization.',
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
    ORG_CREATED: { description: 'Organization was created', alertable: false },
    ORG_RENAMED: { description: 'Organization was renamed', alertable: false },
    API_KEY_CREATED: { description: 'API key was created', alertable: false },
  },
  faults: [organizationFaults],
};
