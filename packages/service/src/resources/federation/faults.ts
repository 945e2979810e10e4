import { faults } from '@portolan/foundation/faults';

export const federationFaults = faults({
  FEDERATION_SETTINGS_NOT_FOUND: [404, 'There are no federation settings with the id {0}.'],
  ORG_NOT_CONNECTED: [404, 'The organization {0} is not connected to the federation settings {1}.'],
  IDENTITY_PROVIDER_NOT_FOUND: [404, 'The federation settings have no identity provider with the id {0}.'],
  ROLE_MAPPING_NOT_FOUND: [404, 'The organization has no role mapping with the id {0}.'],
  IDENTITY_PROVIDER_PROTOCOL_NOT_SUPPORTED: [
    400,
    'Identity providers with the protocol {0} are not supported. The protocol must be OIDC.',
  ],
  IDENTITY_PROVIDER_HAS_NO_METADATA: [
    400,
    'The identity provider {0} has no SAML metadata, because its protocol is OIDC.',
  ],
  IDENTITY_PROVIDER_ALREADY_EXISTS: [
    409,
    'The federation settings already have an identity provider with this issuer and this audience.',
  ],
  IDENTITY_PROVIDER_IN_USE: [409, 'Organizations are connected to the identity provider {0}.'],
  IDENTITY_PROVIDER_CANNOT_LOG_IN: [
    400,
    'Users cannot log in to the console with the identity provider {0}: only WORKFORCE identity providers of these federation settings are allowed.',
  ],
  MAX_IDENTITY_PROVIDERS_EXCEEDED: [400, 'Federation settings can have at most {0} identity providers.'],
  ROLE_MAPPING_ALREADY_EXISTS: [409, 'The organization already has a role mapping for the group {0}.'],
  ROLE_MAPPING_NEEDS_ORG_ROLE: [
    400,
    'A role mapping must contain a role on the organization, because project roles are for members of the organization.',
  ],
  MAX_ROLE_MAPPINGS_EXCEEDED: [400, 'An organization can have at most {0} role mappings.'],
  MAX_ROLE_ASSIGNMENTS_EXCEEDED: [
    400,
    'The role mappings of all organizations that are connected to the same federation settings can have at most {0} role assignments together.',
  ],
  MAX_CONNECTED_ORGS_EXCEEDED: [
    400,
    'At most {0} organizations can be connected to the same federation settings.',
  ],
  FEDERATION_HAS_SEVERAL_ORGS: [
    409,
    'More than one organization is connected to the federation settings {0}.',
  ],
  LAST_CONNECTED_ORG: [
    409,
    'The organization {0} is the only one that is connected to the federation settings.',
  ],
  DOMAIN_NOT_ALLOWED: [
    403,
    'The organization {0} admits only users with mail addresses in certain domains, and {1} is in none of these domains.',
  ],
});
