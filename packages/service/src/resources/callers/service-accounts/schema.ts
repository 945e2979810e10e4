import Type from 'typebox';
import { groupRoles, orgRoles, type Role } from '../../../access/index.ts';
import { entity } from '../../../api/entity.ts';
import { Choice, CidrBlock, DateTime, Id, IpAddress, Links, readOnly } from '../../../api/fields.ts';
import { GroupRoleName, OrgRoleName, type RoleName } from '../schema.ts';

const optional = Type.Optional;

/** Behaviour reference 1.3. */
const TEXT = "^[\\p{L}\\p{N}\\-_.,' ]*$";
const name = Type.String({ minLength: 1, maxLength: 64, pattern: TEXT });
const description = Type.String({ minLength: 1, maxLength: 250, pattern: TEXT });

const secretExpiresAfterHours = Type.Integer({
  minimum: 8,
  maximum: 8760,
  description: 'How long the secret is good for; an organization may allow less.',
});

export const Secret = Type.Object({
  createdAt: DateTime(),
  expiresAt: optional(DateTime({ description: 'Absent for a secret that does not expire.' })),
  id: Id(),
  lastUsedAt: optional(DateTime({ description: 'When a token was last got with it.' })),
  maskedSecretValue: optional(Type.String()),
  secret: optional(Type.String({ description: 'In the answer that makes it, and nowhere else.' })),
});

const account = (roles: readonly Role[]) => ({
  clientId: Type.String({ description: 'What the account is known by to the token endpoint.' }),
  createdAt: DateTime(),
  description: Type.String(),
  links: Links,
  name: Type.String(),
  roles: Type.Array(Choice(roles)),
  secrets: Type.Array(Secret),
});

export const OrgServiceAccount = entity(
  Type.Object(account(orgRoles), { description: 'A program that calls with access tokens.' }),
  { name: 'serviceAccount', self: 'getServiceAccount', params: ({ clientId }) => ({ clientId }) },
);

export const GroupServiceAccount = entity(
  Type.Object(account(groupRoles), { description: 'A program that calls a project with access tokens.' }),
  {
    name: 'projectServiceAccount',
    self: 'getProjectServiceAccount',
    params: ({ clientId }) => ({ clientId }),
  },
);

const creation = (role: RoleName) =>
  Type.Object({ description, name, roles: Type.Array(role, { maxItems: 100 }), secretExpiresAfterHours });

const update = (role: RoleName) =>
  Type.Object({
    description: optional(description),
    name: optional(name),
    roles: optional(
      Type.Array(role, { maxItems: 100, description: 'All roles that the account is to hold here.' }),
    ),
  });

export const OrgAccountCreate = creation(OrgRoleName);
export const GroupAccountCreate = creation(GroupRoleName);

export const OrgAccountUpdate = update(OrgRoleName);
export const GroupAccountUpdate = update(GroupRoleName);

export const SecretCreate = Type.Object({ secretExpiresAfterHours });

export const RolesInProject = Type.Object({
  roles: Type.Array(GroupRoleName, { minItems: 1, maxItems: 100 }),
});

/** An account in one of its projects. */
export const ServiceAccountGroup = entity(Type.Object({ groupId: readOnly(Id()), links: Links }), {
  name: 'serviceAccountGroup',
  self: 'getProjectServiceAccount',
  params: ({ groupId }) => ({ groupId: groupId ?? '' }),
});

const addressEntry = () =>
  Type.Object(
    {
      cidrBlock: optional(CidrBlock),
      createdAt: readOnly(DateTime()),
      ipAddress: optional(IpAddress),
      lastUsedAddress: readOnly(Type.String()),
      lastUsedAt: readOnly(DateTime()),
      links: Links,
      requestCount: readOnly(
        Type.Integer({ minimum: 0, description: 'Requests from it, up to a second ago.' }),
      ),
    },
    { description: 'An address, or a block of them, from which a service account may call.' },
  );

/** No operation answers one entry alone: its place is the list. */
export const AccountAddressEntry = entity(addressEntry(), {
  name: 'serviceAccountAddressEntry',
  self: 'listServiceAccountAccessList',
  params: () => ({}),
});

export const ProjectAccountAddressEntry = entity(addressEntry(), {
  name: 'projectServiceAccountAddressEntry',
  self: 'listProjectServiceAccountAccessList',
  params: () => ({}),
});
