import Type, { type TSchema } from 'typebox';
import { groupRoles, orgRoles } from '../../access/index.ts';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, emptyIsAbsent, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const nullable = <S extends TSchema>(schema: S, description: string) => optional(orNull(schema, description));
const text = (maxLength: number, description: string) =>
  optional(emptyIsAbsent(Type.String({ minLength: 1, maxLength, description })));

/** The id with which an organization refers to the identity provider of its logins. */
const LOGIN_ID = '^[a-f0-9]{20}$';
const LoginId = Type.String({ pattern: LOGIN_ID });

const domains = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    uniqueItems: true,
    description,
  });

const idpTypes = ['WORKFORCE', 'WORKLOAD'] as const;
const protocols = ['SAML', 'OIDC'] as const;
const authorizationTypes = ['GROUP', 'USER'] as const;

export const FederationSettings = entity(
  Type.Object(
    {
      federatedDomains: Type.Array(Type.String(), {
        description: 'Domains of the identity provider with which members of the organization log in.',
      }),
      hasRoleMappings: Type.Boolean({ description: 'Whether the organization has role mappings.' }),
      id: Id({ description: 'Id of the federation settings.' }),
      identityProviderId: nullable(
        LoginId,
        'The `oktaIdpId` of the identity provider with which members of the organization log in to the console; null if there is none.',
      ),
      identityProviderStatus: Choice(['ACTIVE', 'INACTIVE'], {
        description: '`ACTIVE` if members of the organization can log in with an identity provider.',
      }),
      links: Links,
    },
    { description: 'The settings for federated authentication, from the view of one organization.' },
  ),
  { name: 'federationSettings', self: 'getFederationSettings', params: () => ({}) },
);

const RoleAssignment = Type.Object({
  groupId: optional(
    emptyIsAbsent(Id({ description: 'Id of the project, for a project role. Absent for other roles.' })),
  ),
  orgId: optional(
    emptyIsAbsent(
      Id({ description: 'Id of the organization, for an organization role. Absent for others.' }),
    ),
  ),
  role: Choice([...orgRoles, ...groupRoles], { description: 'The role that members of the group get.' }),
});

const roleMappingFields = {
  externalGroupName: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the group at the identity provider.',
  }),
  roleAssignments: optional(
    Type.Array(RoleAssignment, {
      maxItems: 500,
      description: 'Roles of the members of the group: at least one on the organization.',
    }),
  ),
};

export const RoleMapping = entity(
  Type.Object(
    {
      ...roleMappingFields,
      id: readOnly(Id({ description: 'Id of the role mapping.' })),
      links: Links,
    },
    { description: 'The roles that the members of a group of the identity provider get when they log in.' },
  ),
  { name: 'roleMapping', self: 'getRoleMapping', params: ({ id }) => ({ id: id ?? '' }) },
);
export type RoleMapping = Type.Static<typeof RoleMapping>;

const IncludedMapping = Type.Object({
  ...roleMappingFields,
  id: optional(Id({ description: 'Id of the role mapping.' })),
});

const FederatedUser = Type.Object({
  emailAddress: Type.String({ maxLength: 320, description: 'Mail address of the user.' }),
  federationSettingsId: Id({ description: 'Id of the federation settings.' }),
  firstName: Type.String({ maxLength: 256 }),
  lastName: Type.String({ maxLength: 256 }),
  userId: optional(Id()),
});

const connectedOrganizationFields = {
  dataAccessIdentityProviderIds: optional(
    Type.Array(Id(), {
      maxItems: 50,
      uniqueItems: true,
      description:
        'Ids of the identity providers for access to databases. They are stored, but have no effect, because databases do not support this kind of login.',
    }),
  ),
  domainAllowList: optional(
    domains('Domains of the mail addresses of the users who can join the organization.'),
  ),
  domainRestrictionEnabled: optional(
    Type.Boolean({ description: 'Whether `domainAllowList` restricts who can join the organization.' }),
  ),
  identityProviderId: nullable(
    LoginId,
    'The `oktaIdpId` of the identity provider with which members of the organization log in to the console; null if there is none.',
  ),
  instantUserProvisioningDisabled: optional(
    Type.Boolean({
      description:
        'Whether only members of the organization and invited people can log in. Otherwise, the login of another person makes this person a member, if it gives the person roles.',
    }),
  ),
  postAuthRoleGrants: optional(
    Type.Array(Choice(orgRoles), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Roles on the organization that each user gets when logging in with the identity provider.',
    }),
  ),
};

/** An organization within another document. */
const IncludedOrganization = Type.Object({
  ...connectedOrganizationFields,
  orgId: Id({ description: 'Id of the organization.' }),
  roleMappings: Type.Array(IncludedMapping, { description: 'Role mappings of the organization.' }),
  userConflicts: nullable(
    Type.Array(FederatedUser),
    'Members whose mail addresses are in none of the allowed domains; null if domains are not restricted.',
  ),
});

export const ConnectedOrganization = entity(
  Type.Object(
    { ...IncludedOrganization.properties, links: Links },
    { description: 'How an organization uses federated authentication.' },
  ),
  { name: 'connectedOrganization', self: 'getConnectedOrgConfig', params: ({ orgId }) => ({ orgId }) },
);

export const ConnectedOrganizationUpdate = Type.Object(
  {
    ...connectedOrganizationFields,
    orgId: readOnly(Id()),
    roleMappings: optional(
      Type.Array(IncludedMapping, {
        maxItems: 300,
        description: 'All role mappings of the organization. Absent: they stay unchanged.',
      }),
    ),
    userConflicts: optional(
      Type.Union([Type.Array(FederatedUser, { maxItems: 1000 }), Type.Null()], {
        description: 'Has no effect in a request.',
      }),
    ),
  },
  { description: 'The new configuration of an organization.' },
);
export type ConnectedOrganizationUpdate = Type.Static<typeof ConnectedOrganizationUpdate>;

const providerFields = {
  associatedDomains: optional(
    domains(
      'Domains of the mail addresses with which users can log in. Any domain if the list is empty. Only for `WORKFORCE`.',
    ),
  ),
  audience: text(1024, 'Recipient that the ID token of a login must name.'),
  authorizationType: optional(
    Choice(authorizationTypes, {
      description:
        '`GROUP`: role mappings determine the roles of users from their groups. `USER`: role mappings have no effect. By default `GROUP` if the request contains `groupsClaim`.',
    }),
  ),
  clientId: text(1024, 'Id of the service at the identity provider. Required for `WORKFORCE`.'),
  description: optional(
    Type.String({ maxLength: 1024, description: 'Description of the identity provider.' }),
  ),
  displayName: text(50, 'Name of the identity provider. Required.'),
  groupsClaim: text(256, 'Claim that contains the groups of the user. Required for `GROUP`.'),
  idpType: optional(
    Choice(idpTypes, {
      description:
        '`WORKFORCE` (default): people log in with the identity provider. `WORKLOAD`: only stored, because databases do not support this kind of login.',
    }),
  ),
  issuerUri: text(1024, 'Issuer URL of the identity provider.'),
  protocol: optional(Choice(protocols, { description: 'Must be `OIDC`.' })),
  requestedScopes: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      maxItems: 50,
      description:
        'Scopes that a login requests in addition to `openid email profile`. Only for `WORKFORCE`.',
    }),
  ),
  userClaim: text(
    256,
    'Claim that identifies the user; by default `sub`. If it is another claim and contains a mail address, this address selects the user.',
  ),
};

/** The body that creates or changes an identity provider. */
export const IdentityProviderBody = Type.Object(
  {
    ...providerFields,
    associatedOrgs: readOnly(Type.Array(Type.Unknown())),
    createdAt: readOnly(DateTime()),
    id: readOnly(Id()),
    oktaIdpId: readOnly(orNull(LoginId, 'Id for logins.')),
    updatedAt: readOnly(orNull(DateTime(), 'Time of the last change.')),
  },
  { description: 'The settings of an identity provider.' },
);
export type IdentityProviderBody = Type.Static<typeof IdentityProviderBody>;

export const IdentityProvider = entity(
  Type.Object(
    {
      ...providerFields,
      associatedOrgs: Type.Array(IncludedOrganization, {
        description: 'Organizations that are connected to the identity provider.',
      }),
      createdAt: DateTime({ description: 'Time at which the identity provider was created.' }),
      id: Id({ description: 'Id of the identity provider.' }),
      links: Links,
      oktaIdpId: orNull(
        LoginId,
        'Id with which organizations refer to the identity provider in `identityProviderId`; null for `WORKLOAD`.',
      ),
      updatedAt: orNull(DateTime(), 'Time of the last change; null if there was none.'),
    },
    { description: 'An identity provider.' },
  ),
  { name: 'identityProvider', self: 'getIdentityProvider', params: ({ id }) => ({ identityProviderId: id }) },
);

export const ProvidersQuery = Type.Object({
  idpType: optional(
    Type.Array(Choice(idpTypes), {
      maxItems: 2,
      description: 'Types of the identity providers to return; by default `WORKFORCE`.',
    }),
  ),
  protocol: optional(
    Type.Array(Choice(protocols), {
      maxItems: 2,
      description:
        'Protocols of the identity providers to return; by default `SAML`, of which there are none.',
    }),
  ),
});
