import { faults } from '@portolan/foundation/faults';

export const callerFaults = faults({
  API_KEY_NOT_FOUND: [400, 'No API key with the id {0} exists in this organization or project.'],
  MISSING_API_KEY_ROLES: [400, 'An API key requires at least one role.'],
  INVALID_ROLE_FOR_ORG: [400, 'The role {0} cannot be granted on organization {1}: it is a project role.'],
  INVALID_ROLE_FOR_GROUP: [400, 'The role {0} cannot be granted on project {1}: it is an organization role.'],
  MAX_API_KEYS_PER_ORG_EXCEEDED: [400, 'The organization {1} has reached its limit of {0} API keys.'],
  MAX_SERVICE_ACCOUNTS_PER_ORG_EXCEEDED: [
    400,
    'The organization {1} has reached its limit of {0} service accounts.',
  ],
  MAX_SECRETS_PER_SERVICE_ACCOUNT_EXCEEDED: [
    400,
    'The service account {1} has reached its limit of {0} secrets that have not expired.',
  ],
  MAX_ACCESS_LIST_ENTRIES_EXCEEDED: [400, 'An access list is limited to {0} entries.'],
  BAD_ACCESS_LIST_ADD_REQUEST: [400, 'An entry must have either ipAddress or cidrBlock, not both.'],
  DUPLICATE_ADDRESSES_IN_INPUT: [400, 'The request contains an address twice.'],
  CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST: [
    400,
    'Removing this entry would lock out the caller, whose address is {0}.',
  ],
  CANNOT_DEMOTE_LAST_ORG_OWNER: [
    403,
    'The last API key or service account that owns the organization cannot give up the owner role.',
  ],
  CANNOT_DELETE_LAST_ADMIN: [
    403,
    'The last API key or service account that owns the organization cannot be deleted.',
  ],
  API_KEY_ACCESS_LIST_NOT_FOUND: [404, 'The access list of API key {1} has no entry {0}.'],
  ADDRESS_ALREADY_IN_ACCESS_LIST: [409, 'The access list already has an entry {0}.'],
});
