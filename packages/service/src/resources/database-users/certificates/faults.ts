import { faults } from '@portolan/foundation/faults';

export const certificateFaults = faults({
  USER_NOT_MANAGED_X509: [400, 'The service does not issue certificates for the user {0}.'],
  CERT_EXPIRY_CANNOT_EXCEED_TWO_YEARS: [400, 'A certificate is valid for two years at most.'],
  PLATFORM_GENERATED_CERTS_LIMIT_EXCEEDED: [400, 'A user can have {0} valid certificates at most.'],
});
