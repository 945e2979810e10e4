import { faults } from '@portolan/foundation/faults';

export const roleFaults = faults({
  PLATFORM_CUSTOM_ROLE_NOT_FOUND: [404, 'No custom role has the name {0}.'],
  PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS: [409, 'A custom role named {0} already exists.'],
  ROLE_NAME_TAKEN_ON_SERVERS: [
    409,
    'The servers of the cluster {1} have a role named {0} that the service did not create.',
  ],
  PLATFORM_CUSTOM_ROLE_NAME_RESERVED: [400, 'The name {0} is reserved for a built-in role.'],
  PLATFORM_CUSTOM_ROLE_EMPTY: [400, 'A custom role requires an action or an inherited role.'],
  PLATFORM_CUSTOM_ROLE_INVALID_RESOURCE: [400, 'The action {0} requires {1}.'],
  PLATFORM_CUSTOM_ROLE_CYCLE: [400, 'The custom role {0} would inherit itself.'],
  PLATFORM_CUSTOM_ROLE_IN_USE: [409, 'The custom role {0} is granted to {1}.'],
  CUSTOM_ROLES_LIMIT_EXCEEDED: [403, 'A project is limited to {0} custom roles.'],
});
