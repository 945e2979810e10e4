import { faults } from '@portolan/foundation/faults';

export const providerAccessFaults = faults({
  CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND: [404, 'The project has no access role {0}.'],
  // For the cases of the following four codes, docs/contract/clusters.md 6 specifies a status but no code.
  CLOUD_PROVIDER_ACCESS_ROLE_ALREADY_AUTHORIZED: [409, 'The access role {0} is already authorized for {1}.'],
  CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED: [400, 'The access role {0} is not authorized yet.'],
  CLOUD_PROVIDER_ACCESS_ROLE_IN_USE: [409, 'The access role {0} is in use.'],
  DUPLICATE_AZURE_SERVICE_PRINCIPAL: [
    409,
    'The project already has an access role with the service principal {0}.',
  ],
  CLOUD_PROVIDER_ACCESS_ROLES_LIMIT_EXCEEDED: [400, 'A project can have at most {0} access roles.'],
  CANNOT_ASSUME_ROLE: [400, 'The role {0} cannot be assumed.'],
});
