import { faults } from '@portolan/foundation/faults';

/** Codes of authentication and authorization (docs/contract/access.md 1.4, 2.5, 6). */
export const accessFaults = faults({
  UNAUTHORIZED: [401, 'The access token is missing, expired, revoked or invalid.'],
  USER_UNAUTHORIZED: [401, 'The caller has none of the roles that this operation accepts.'],
  NOT_ORG_GROUP_CREATOR: [401, 'The caller is not allowed to create projects in organization {0}.'],
  NOT_ORG_OWNER: [401, 'The caller is not an owner of organization {0}.'],
  USER_CANNOT_ACCESS_ORG: [401, 'The caller has no access to this organization.'],
  IP_ADDRESS_NOT_ON_ACCESS_LIST: [403, 'The address {0} is not on the access list of the caller.'],
  ORG_REQUIRES_ACCESS_LIST: [
    403,
    'The organization requires an access list, but the caller, whose address is {0}, has none.',
  ],
  MAX_ROLES_EXCEEDED: [400, 'A user, team, API key or service account can have at most {0} roles.'],
  RATE_LIMITED: [429, 'Resource {0} is limited to {1} requests every {2} minutes.'],
});
