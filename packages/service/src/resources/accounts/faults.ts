import { faults } from '@portolan/foundation/faults';

export const userFaults = faults({
  USER_NOT_FOUND: [404, 'No user has the id {0}.'],
  USERNAME_NOT_FOUND: [404, 'No user has the name {0}.'],
  INVALID_USER_ID: [404, 'The user id {0} is not 24 hexadecimal characters.'],
  USER_NOT_IN_ORG: [404, 'The user {0} does not belong to the organization {1}.'],
  USER_ALREADY_EXISTS: [409, 'A user named {0} already exists.'],
  MAX_ORGS_PER_USER_EXCEEDED: [400, 'A user can belong to at most {0} organizations.'],
});
