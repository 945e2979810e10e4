import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import * as apiKeyAddresses from './api-keys/addresses.ts';
import * as apiKeys from './api-keys/organization.ts';
import * as projectApiKeys from './api-keys/project.ts';
import { callerFaults } from './faults.ts';
import * as serviceAccountAddresses from './service-accounts/addresses.ts';
import * as serviceAccounts from './service-accounts/organization.ts';
import * as projectServiceAccounts from './service-accounts/project.ts';
import * as secrets from './service-accounts/secrets.ts';
import { watchSecrets } from './service-accounts/watch.ts';

export const family: Family = {
  name: 'callers',
  operations: operationsIn(
    apiKeys,
    projectApiKeys,
    apiKeyAddresses,
    serviceAccounts,
    projectServiceAccounts,
    secrets,
    serviceAccountAddresses,
  ),
  parameters: {
    apiUserId: { description: 'Id of the API key.', pattern: ID_PATTERN },
    clientId: { description: 'Client id of the service account.', pattern: '^db_sa_id_[a-f0-9]{24}$' },
    secretId: { description: 'Id of a secret of the service account.', pattern: ID_PATTERN },
    ipAddress: { description: 'IP address, or CIDR block with its slash encoded: `192.0.2.0%2F24`.' },
  },
  eventTypes: {
    API_KEY_DELETED: 'API key was deleted',
    API_KEY_ROLES_CHANGED: 'Roles of an API key were changed',
    API_KEY_DESCRIPTION_CHANGED: 'Description of an API key was changed',
    API_KEY_ADDED_TO_GROUP: 'API key was granted roles on the project',
    API_KEY_REMOVED_FROM_GROUP: 'API key was removed from the project',
    API_KEY_ACCESS_LIST_ENTRY_ADDED: 'Address was added to the access list of an API key',
    API_KEY_ACCESS_LIST_ENTRY_DELETED: 'Address was removed from the access list of an API key',
    ORG_SERVICE_ACCOUNT_SECRETS_EXPIRED: 'Secret of a service account has expired',
    ORG_SERVICE_ACCOUNT_SECRETS_EXPIRING: 'Secret of a service account expires within seven days',
    ORG_SERVICE_ACCOUNT_SECRETS_NO_LONGER_EXPIRED:
      'Expired secret of a service account was replaced or deleted',
    ORG_SERVICE_ACCOUNT_SECRETS_NO_LONGER_EXPIRING:
      'Expiring secret of a service account was replaced or deleted',
    SERVICE_ACCOUNT_CREATED: 'Service account was created',
    SERVICE_ACCOUNT_DELETED: 'Service account was deleted',
    SERVICE_ACCOUNT_ROLES_CHANGED: 'Roles of a service account were changed',
    SERVICE_ACCOUNT_DETAILS_CHANGED: 'Name or description of a service account was changed',
    SERVICE_ACCOUNT_ADDED_TO_GROUP: 'Service account was granted roles on the project',
    SERVICE_ACCOUNT_REMOVED_FROM_GROUP: 'Service account was removed from the project',
    SERVICE_ACCOUNT_ACCESS_LIST_ENTRY_ADDED: 'Address was added to the access list of a service account',
    SERVICE_ACCOUNT_ACCESS_LIST_ENTRY_DELETED:
      'Address was removed from the access list of a service account',
    SERVICE_ACCOUNT_SECRET_ADDED: 'Secret of a service account was created',
    SERVICE_ACCOUNT_SECRET_DELETED: 'Secret of a service account was deleted',
  },
  background: [watchSecrets],
  faults: [callerFaults],
};
