import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import { RoleAssignment } from '../../organizations/index.ts';
import { RoleName } from '../schema.ts';

const description = Type.String({ minLength: 1, maxLength: 250, description: 'What the key is for.' });

export const ApiKey = entity(
  Type.Object(
    {
      desc: description,
      id: Id(),
      links: Links,
      privateKey: Type.String({
        description:
          'In clear in the answer that makes the key; afterwards all but the last group is masked.',
      }),
      publicKey: Type.String({ minLength: 8, maxLength: 8 }),
      roles: Type.Array(RoleAssignment),
    },
    { description: 'A key pair with which a program calls, and the roles that it holds.' },
  ),
  {
    name: 'apiKey',
    self: 'getApiKey',
    // Also a key that is read through a project is one of the organization.
    params: ({ id, roles }) => {
      const orgId = roles.find((role) => role.orgId !== undefined)?.orgId;
      return { apiUserId: id, ...(orgId === undefined ? {} : { orgId }) };
    },
  },
);

export const ApiKeyCreate = Type.Object({
  desc: description,
  roles: Type.Array(RoleName, { minItems: 1 }),
});

export const ApiKeyUpdate = Type.Object({
  desc: Type.Optional(description),
  roles: Type.Optional(Type.Array(RoleName, { description: 'All roles that the key is to hold here.' })),
});
export type ApiKeyUpdate = Type.Static<typeof ApiKeyUpdate>;

export const RolesToAdd = Type.Object({
  roleName: Type.Optional(RoleName),
  roles: Type.Optional(Type.Array(RoleName)),
  userId: readOnly(Id()),
});

export const ApiKeyAddressEntry = entity(
  Type.Object(
    {
      cidrBlock: Type.Optional(Type.String({ description: 'A block of IPv4 or IPv6 addresses.' })),
      count: readOnly(Type.Integer({ minimum: 0, description: 'Requests from it, up to a second ago.' })),
      created: readOnly(DateTime()),
      ipAddress: Type.Optional(Type.String({ description: 'One IPv4 or IPv6 address.' })),
      lastUsed: readOnly(DateTime()),
      lastUsedAddress: readOnly(Type.String()),
      links: Links,
    },
    { description: 'An address, or a block of them, from which an API key may be used.' },
  ),
  {
    name: 'apiKeyAddressEntry',
    self: 'getApiKeyAccessList',
    params: (entry) => ({ ipAddress: entry.ipAddress ?? entry.cidrBlock ?? '' }),
  },
);
