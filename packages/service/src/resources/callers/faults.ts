import { faults } from '@portolan/foundation/faults';

export const callerFaults = faults({
  API_KEY_NOT_FOUND: [400, 'No API key with id {0} exists here.'],
  MISSING_API_KEY_ROLES: [400, 'An API key needs at least one role.'],
  INVALID_ROLE_FOR_ORG: [400, 'The role {0} cannot be held on organization {1}: it is one of projects.'],
  INVALID_ROLE_FOR_GROUP: [400, 'The role {0} cannot be held on project {1}: it is one of organizations.'],
  MAX_API_KEYS_PER_ORG_EXCEEDED: [400, 'An organization holds at most {0} API keys, and {1} holds them.'],
  MAX_SERVICE_ACCOUNTS_PER_ORG_EXCEEDED: [
    400,
    'An organization holds at most {0} service accounts, and {1} holds them.',
  ],
  MAX_SECRETS_PER_SERVICE_ACCOUNT_EXCEEDED: [
    400,
    'A service account holds at most {0} secrets that have not expired, and {1} holds them.',
  ],
  MAX_ACCESS_LIST_ENTRIES_EXCEEDED: [400, 'An access list holds at most {0} entries.'],
  BAD_ACCESS_LIST_ADD_REQUEST: [400, 'An entry holds either ipAddress or cidrBlock, not both.'],
  DUPLICATE_ADDRESSES_IN_INPUT: [400, 'An address occurs twice in the request.'],
  CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST: [400, 'The caller calls from {0}, and would lock itself out.'],
  CANNOT_DEMOTE_LAST_ORG_OWNER: [403, 'The last key or account that owns the organization stays its owner.'],
  CANNOT_DELETE_LAST_ADMIN: [403, 'The last key or account that owns the organization cannot be deleted.'],
  API_KEY_ACCESS_LIST_NOT_FOUND: [404, 'The access list of API key {1} has no entry {0}.'],
  ADDRESS_ALREADY_IN_ACCESS_LIST: [409, 'The access list has an entry {0} already.'],
});
