import { faults } from '@portolan/foundation/faults';

export const directoryFaults = faults({
  LDAP_VERIFICATION_NOT_FOUND: [
    404,
    'The project {1} has no verification of an LDAP server with the id {0}.',
  ],
});
