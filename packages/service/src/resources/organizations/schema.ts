import Type from 'typebox';
import { type Grant, orgRoles } from '../../access/index.ts';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { Name } from './names.ts';

export const Organization = entity(
  Type.Object(
    {
      id: readOnly(Id({ description: 'The organization.' })),
      isDeleted: readOnly(Type.Boolean({ default: false })),
      links: Links,
      name: Name,
      skipDefaultAlertsSettings: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether its projects begin without alert configurations.',
        }),
      ),
    },
    { description: 'A group of projects with the keys, accounts and settings that they share.' },
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
  orgOwnerId: Type.Optional(Id({ description: 'The user who becomes its owner.' })),
  skipDefaultAlertsSettings: Organization.properties.skipDefaultAlertsSettings,
});

export const RoleAssignment = Type.Object({
  groupId: Type.Optional(Id()),
  orgId: Type.Optional(Id()),
  roleName: Type.String(),
});
export type RoleAssignment = Type.Static<typeof RoleAssignment>;

/** Roles as answers name them, each with the place where it is held. */
export function roleAssignments(grants: readonly Grant[]): RoleAssignment[] {
  return grants.map(({ scope, id, role }) => ({
    ...(scope === 'org' ? { orgId: id } : { groupId: id }),
    roleName: role,
  }));
}

/** The key as the answer that makes it shows it: the only time its private half is readable. */
const CreatedApiKey = Type.Object({
  desc: Type.String(),
  id: Id(),
  privateKey: Type.String({ description: 'Shown this once.' }),
  publicKey: Type.String(),
  roles: Type.Array(RoleAssignment),
});

export const OrganizationCreated = Type.Object({
  apiKey: Type.Optional(CreatedApiKey),
  federationSettingsId: Type.Optional(Id()),
  orgOwnerId: Type.Optional(Id()),
  organization: Organization,
  skipDefaultAlertsSettings: Type.Optional(Type.Boolean({ default: false })),
});
