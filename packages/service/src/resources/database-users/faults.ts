import { faults } from '@portolan/foundation/faults';

export const userFaults = faults({
  USERNAME_NOT_FOUND: [404, 'No database user has the name {0}.'],
  USER_ALREADY_EXISTS: [409, 'A database user named {0} already exists.'],
  USERNAME_TAKEN_ON_SERVERS: [
    409,
    'The servers of the cluster {1} have a user named {0} that the service did not create.',
  ],
  GROUP_USERS_LIMIT_EXCEEDED: [403, 'A project is limited to {0} database users.'],
  DATABASE_USERNAME_CANNOT_BE_CHANGED: [409, 'The name of a database user cannot be changed.'],
  DATABASE_NAME_CANNOT_BE_CHANGED: [409, 'The database of a database user cannot be changed.'],
  AUTH_TYPE_CANNOT_BE_CHANGED: [409, 'The authentication method of a database user cannot be changed.'],
  DATABASE_NAME_INVALID_ADMIN: [400, 'The authentication database of a user with a password must be admin.'],
  DATABASE_NAME_INVALID_EXTERNAL: [
    400,
    'The authentication database of a user without a password must be $external.',
  ],
  PLATFORM_INVALID_ROLE: [400, 'The role {0} does not exist.'],
  PLATFORM_INVALID_ROLE_DATABASE: [
    400,
    'The role {0} can be granted on the database admin only, not on {1}.',
  ],
  PLATFORM_RESTRICTED_COLLECTION: [400, 'The role {0} cannot be granted on a single collection.'],
  PLATFORM_INVALID_CUSTOM_ROLE_ASSIGNMENT: [400, 'The custom role {0} must be the only role of a user.'],
  UNSUPPORTED_ROLE: [400, 'The role {0} on database {1} is not supported.'],
  DUPLICATE_DATABASE_ROLES: [400, 'The request grants a role twice.'],
  PLATFORM_X509_USER_CANNOT_USE_SCRAM: [400, 'A user with a certificate cannot have a password.'],
  PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY: [400, 'A permanent user cannot be made temporary.'],
  WEAK_PASSWORD: [400, 'The password is too easy to guess.'],
  PLATFORM_INVALID_USERNAME: [400, 'The name {0} does not fit the authentication method of the user.'],
  PLATFORM_INVALID_LDAP_NAME: [400, 'The name {0} is not a distinguished name.'],
  BLOCKED_USERNAME: [400, 'The name {0} is reserved.'],
  PLATFORM_RESTRICTED_ROLE: [400, 'The role {0} cannot be granted to a database user.'],
  PLATFORM_X509_USER_CANNOT_BE_TEMPORARY: [400, 'A user with a managed certificate cannot be temporary.'],
  COMMON_PASSWORD: [400, 'The password is too common.'],
});
