import { faults } from '@portolan/foundation/faults';

export const organizationFaults = faults({
  ORG_NOT_FOUND: [404, 'No organization has the id {0}.'],
  INVALID_ORG_ID: [404, 'The organization id {0} is not 24 hexadecimal characters.'],
  INVALID_ORG_NAME: [
    400,
    "The organization name {0} is invalid: use 1 to 64 letters, digits, spaces or the characters -_.(),:&@+'.",
  ],
  ORG_NOT_EMPTY: [409, 'The organization still has projects.'],
  API_KEY_CANNOT_CREATE_ORG: [403, 'Only an owner of an organization may create another organization.'],
});
