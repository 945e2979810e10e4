import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { providerAccessFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';

export { releaseRole, requireUsableRole, useRole } from './changes.ts';
export { awsCredentials, azureCredentials } from './credentials.ts';
export type { RoleRow } from './rows.ts';
export { findRole } from './rows.ts';

export const family: Family = {
  name: 'provider-access',
  operations: operationsIn(operations),
  parameters: {
    cloudProvider: {
      description: 'Cloud provider: `AWS`, `AZURE` or `GCP`.',
      pattern: '^(AWS|AZURE|GCP)$',
    },
    roleId: { description: 'Id of the access role.', pattern: ID_PATTERN },
  },
  migrations,
  eventTypes: {
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_ADDED: 'AWS role was added',
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_UPDATED: 'AWS role was updated',
    CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_DELETED: 'AWS role was deleted',
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_ADDED: 'Azure service principal was added',
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_UPDATED: 'Azure service principal was updated',
    CLOUD_PROVIDER_ACCESS_AZURE_SERVICE_PRINCIPAL_DELETED: 'Azure service principal was deleted',
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_ADDED: 'GCP service account was added',
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_UPDATED: 'GCP service account was updated',
    CLOUD_PROVIDER_ACCESS_GCP_SERVICE_ACCOUNT_DELETED: 'GCP service account was deleted',
  },
  faults: [providerAccessFaults],
};
