import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { CidrBlock, DateTime, Id, IpAddress, Links, readOnly } from '../../../api/fields.ts';
import { RoleAssignment } from '../../organizations/index.ts';
import { GroupRoleName, OrgRoleName, type RoleName } from '../schema.ts';

const description = Type.String({ minLength: 1, maxLength: 250, description: 'Purpose of the key.' });

export const ApiKey = entity(
  Type.Object(
    {
      desc: description,
      id: Id(),
      links: Links,
      privateKey: Type.String({
        description:
          'Private key. The response to the creation of the API key contains the complete private key; later responses show only its last 12 characters.',
      }),
      publicKey: Type.String({ minLength: 8, maxLength: 8 }),
      roles: Type.Array(RoleAssignment),
    },
    { description: 'An API key, with its roles. Programs use its key pair to call the API.' },
  ),
  {
    name: 'apiKey',
    self: 'getApiKey',
    // The path of `getApiKey` contains an organization. If the key is read through a project, take the organization
    // from the roles of the key.
    params: ({ id, roles }) => {
      const orgId = roles.find((role) => role.orgId !== undefined)?.orgId;
      return { apiUserId: id, ...(orgId === undefined ? {} : { orgId }) };
    },
  },
);

const creation = (role: RoleName) =>
  Type.Object({ desc: description, roles: Type.Array(role, { minItems: 1, maxItems: 100 }) });

const update = (role: RoleName) =>
  Type.Object({
    desc: Type.Optional(description),
    roles: Type.Optional(
      Type.Array(role, {
        maxItems: 100,
        description: 'Roles in this organization or project. They replace all current roles.',
      }),
    ),
  });

export const OrgApiKeyCreate = creation(OrgRoleName);
export const GroupApiKeyCreate = creation(GroupRoleName);
export const OrgApiKeyUpdate = update(OrgRoleName);
export const GroupApiKeyUpdate = update(GroupRoleName);

export const RolesToAdd = Type.Object({
  roleName: Type.Optional(GroupRoleName),
  roles: Type.Optional(Type.Array(GroupRoleName, { maxItems: 100 })),
  userId: readOnly(Id()),
});

export const ApiKeyAddressEntry = entity(
  Type.Object(
    {
      cidrBlock: Type.Optional(CidrBlock),
      count: readOnly(
        Type.Integer({
          minimum: 0,
          description: 'Number of requests from this address, updated every second.',
        }),
      ),
      created: readOnly(DateTime()),
      ipAddress: Type.Optional(IpAddress),
      lastUsed: readOnly(DateTime()),
      lastUsedAddress: readOnly(Type.String()),
      links: Links,
    },
    { description: 'An IP address or CIDR block from which an API key may be used.' },
  ),
  {
    name: 'apiKeyAddressEntry',
    self: 'getApiKeyAccessList',
    params: (entry) => ({ ipAddress: entry.ipAddress ?? entry.cidrBlock ?? '' }),
  },
);
