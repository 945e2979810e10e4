import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { federationFaults } from './faults.ts';
import { connectNewOrganization, forgetOrganization, restrictDomains } from './hooks.ts';
import { migrations } from './migrations.ts';
import * as mappings from './operations/mappings.ts';
import * as organizations from './operations/organizations.ts';
import * as providers from './operations/providers.ts';
import * as settings from './operations/settings.ts';

export { providerRevoked } from './changes.ts';
export { admissionsOf, admit, findLoginProvider, organizationsWith } from './login.ts';
export type { ProviderRow } from './rows.ts';
export { isInDomains } from './rules.ts';

export const family: Family = {
  name: 'federation',
  operations: operationsIn(settings, organizations, mappings, providers),
  parameters: {
    federationSettingsId: {
      description: 'Id of the federation settings.',
      pattern: ID_PATTERN,
      malformed: federationFaults.FEDERATION_SETTINGS_NOT_FOUND,
    },
    id: {
      description: 'Id of the role mapping.',
      pattern: ID_PATTERN,
      malformed: federationFaults.ROLE_MAPPING_NOT_FOUND,
    },
    identityProviderId: { description: 'Id of the identity provider.' },
  },
  migrations,
  eventTypes: {
    FEDERATION_SETTINGS_CREATED: 'Federation settings were created',
    FEDERATION_SETTINGS_DELETED: 'Federation settings were deleted',
    IDENTITY_PROVIDER_CREATED: 'Identity provider was created',
    IDENTITY_PROVIDER_DELETED: 'Identity provider was deleted',
    IDENTITY_PROVIDER_JWKS_REVOKED: 'Keys of the identity provider were revoked',
    OIDC_IDENTITY_PROVIDER_DISABLED: 'Organization was disconnected from an identity provider',
    OIDC_IDENTITY_PROVIDER_ENABLED: 'Organization was connected to an identity provider',
    OIDC_IDENTITY_PROVIDER_UPDATED: 'Identity provider was changed',
    ORG_SETTINGS_CONFIGURED: 'Organization was connected to federation settings',
    ORG_SETTINGS_DELETED: 'Organization was disconnected from federation settings',
    ORG_SETTINGS_UPDATED: 'Federated authentication of the organization was changed',
    RESTRICT_ORG_MEMBERSHIP_DISABLED: 'Membership was made possible for all domains',
    RESTRICT_ORG_MEMBERSHIP_ENABLED: 'Membership was restricted to certain domains',
    ROLE_MAPPING_CREATED: 'Role mapping was created',
    ROLE_MAPPING_DELETED: 'Role mapping was deleted',
    ROLE_MAPPING_UPDATED: 'Role mapping was changed',
  },
  subscriptions: [restrictDomains],
  hooks: [connectNewOrganization, forgetOrganization],
  faults: [federationFaults],
};
