import { ID_PATTERN } from '../../runtime/ids.ts';
import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { providerAccessFaults } from './rules.ts';

export { leaveRole, requireUsableRole, useRole } from './changes.ts';
export { awsCredentials, azureCredentials } from './credentials.ts';
export type { RoleRow } from './rows.ts';
export { findRole } from './rows.ts';

export const family: Family = {
  name: 'provider-access',
  operations: operationsIn(operations),
  parameters: {
    cloudProvider: { description: 'The provider of the role: `AWS`, `AZURE` or `GCP`.' },
    roleId: { description: 'The access role.', pattern: ID_PATTERN },
  },
  migrations,
  eventTypes: {
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_ADDED: { description: 'AWS role was added', alertable: false },
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_UPDATED: { description: 'AWS role was updated', alertable: false },
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_DELETED: { description: 'AWS role was deleted', alertable: false },
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_ADDED: {
      description: 'Azure service principal was added',
      alertable: false,
    },
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_UPDATED: {
      description: 'Azure service principal was updated',
      alertable: false,
    },
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_DELETED: {
      description: 'Azure service principal was deleted',
      alertable: false,
    },
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_ADDED: {
      description: 'GCP service account was added',
      alertable: false,
    },
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_UPDATED: {
      description: 'GCP service account was updated',
      alertable: false,
    },
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_DELETED: {
      description: 'GCP service account was deleted',
      alertable: false,
    },
  },
  faults: [providerAccessFaults],
};
