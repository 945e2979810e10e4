import Type from 'typebox';
import { type Grant, orgRoles } from '../../access/index.ts';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { Name } from './names.ts';
import { CreatedServiceAccount, FirstServiceAccount } from './service-accounts.ts';

export const Organization = entity(
  Type.Object(
    {
      id: readOnly(Id({ description: 'Id of the organization.' })),
      isDeleted: readOnly(Type.Boolean({ default: false })),
      links: Links,
      name: Name,
      skipDefaultAlertsSettings: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'If true, new projects of the organization get no default alert configurations.',
        }),
      ),
    },
    {
      description: 'An organization: the owner of projects, API keys, service accounts, users and settings.',
    },
  ),
  { name: 'organization', self: 'getOrganization', params: (o) => ({ orgId: o.id ?? '' }) },
);
export type Organization = Type.Static<typeof Organization>;

const FirstApiKey = Type.Object({
  desc: Type.String({ minLength: 1, maxLength: 250 }),
  roles: Type.Array(Choice(orgRoles), { minItems: 1, maxItems: 100 }),
});

export const OrganizationCreate = Type.Object({
  apiKey: Type.Optional(FirstApiKey),
  federationSettingsId: Type.Optional(Id()),
  name: Organization.properties.name,
  orgOwnerId: Type.Optional(Id({ description: 'Id of the user who becomes the owner of the organization.' })),
  serviceAccount: Type.Optional(FirstServiceAccount),
  skipDefaultAlertsSettings: Organization.properties.skipDefaultAlertsSettings,
});

export const RoleAssignment = Type.Object({
  groupId: Type.Optional(Id()),
  orgId: Type.Optional(Id()),
  roleName: Type.String(),
});
export type RoleAssignment = Type.Static<typeof RoleAssignment>;

/** Converts grants to the form that roles have in the API. */
export function roleAssignments(grants: readonly Grant[]): RoleAssignment[] {
  return grants.map(({ scope, id, role }) => ({
    ...(scope === 'org' ? { orgId: id } : { groupId: id }),
    roleName: role,
  }));
}

/** The key in the response to its creation. Only this response contains the private key in clear text. */
const CreatedApiKey = Type.Object({
  desc: Type.String(),
  id: Id(),
  privateKey: Type.String({ description: 'Private key of the new API key. Only this response contains it.' }),
  publicKey: Type.String(),
  roles: Type.Array(RoleAssignment),
});

export const OrganizationCreated = Type.Object({
  apiKey: Type.Optional(CreatedApiKey),
  federationSettingsId: Type.Optional(Id()),
  orgOwnerId: Type.Optional(Id()),
  organization: Organization,
  serviceAccount: Type.Optional(CreatedServiceAccount),
  skipDefaultAlertsSettings: Type.Optional(Type.Boolean({ default: false })),
});
