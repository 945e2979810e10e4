import { faults } from '@portolan/foundation/faults';

export const linkFaults = faults({
  LINK_TOKEN_INVALID: [401, 'The link token is unknown or was deleted.'],
  LINK_TOKEN_ADDRESS_NOT_ALLOWED: [403, 'The link token may not be used from the address {0}.'],
  ORGANIZATION_ALREADY_LINKED: [409, 'The organization is already linked to the source organization {0}.'],
  MAX_LINK_TOKENS_EXCEEDED: [400, 'An organization can have at most {0} link tokens.'],
  MAX_MIGRATION_HOSTS_EXCEEDED: [400, 'At most {0} migration hosts can report to an organization.'],
  MIGRATION_HOST_UNNAMED: [
    400,
    'The address {0} cannot be used as the name of the migration host; set a name with --host.',
  ],
});
