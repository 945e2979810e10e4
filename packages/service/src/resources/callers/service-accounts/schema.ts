import Type from 'typebox';
import { groupRoles, orgRoles, type Role } from '../../../access/index.ts';
import { entity } from '../../../api/entity.ts';
import { Choice, CidrBlock, DateTime, Id, IpAddress, Links, readOnly } from '../../../api/fields.ts';
import { ServiceAccountSecret, serviceAccountFields } from '../../organizations/index.ts';
import { GroupRoleName, OrgRoleName, type RoleName } from '../schema.ts';

const optional = Type.Optional;

const account = (roles: readonly Role[]) => ({
  clientId: Type.String({ description: 'Client id that the service account uses to request access tokens.' }),
  createdAt: DateTime(),
  description: Type.String(),
  links: Links,
  name: Type.String(),
  roles: Type.Array(Choice(roles)),
  secrets: Type.Array(ServiceAccountSecret),
});

export const OrgServiceAccount = entity(
  Type.Object(account(orgRoles), {
    description:
      'A service account, with its roles. Programs use its secrets to request access tokens for the API.',
  }),
  { name: 'serviceAccount', self: 'getServiceAccount', params: ({ clientId }) => ({ clientId }) },
);

export const GroupServiceAccount = entity(
  Type.Object(account(groupRoles), { description: 'A service account, with its roles on a project.' }),
  {
    name: 'projectServiceAccount',
    self: 'getProjectServiceAccount',
    params: ({ clientId }) => ({ clientId }),
  },
);

const creation = (role: RoleName) =>
  Type.Object({ ...serviceAccountFields, roles: Type.Array(role, { maxItems: 100 }) });

const update = (role: RoleName) =>
  Type.Object({
    description: optional(serviceAccountFields.description),
    name: optional(serviceAccountFields.name),
    roles: optional(
      Type.Array(role, {
        maxItems: 100,
        description: 'Roles in this organization or project. They replace all current roles.',
      }),
    ),
  });

export const OrgAccountCreate = creation(OrgRoleName);
export const GroupAccountCreate = creation(GroupRoleName);

export const OrgAccountUpdate = update(OrgRoleName);
export const GroupAccountUpdate = update(GroupRoleName);

const { secretExpiresAfterHours } = serviceAccountFields;
export const SecretCreate = Type.Object({ secretExpiresAfterHours });

export const RolesInProject = Type.Object({
  roles: Type.Array(GroupRoleName, { minItems: 1, maxItems: 100 }),
});

/** The membership of a service account in a project. */
export const ServiceAccountGroup = entity(
  Type.Object({
    groupId: readOnly(Id()),
    links: Links,
    roles: readOnly(
      Type.Array(GroupRoleName, { description: 'Roles of the service account in the project.' }),
    ),
  }),
  {
    name: 'serviceAccountGroup',
    self: 'getProjectServiceAccount',
    params: ({ groupId }) => ({ groupId: groupId ?? '' }),
  },
);

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
        Type.Integer({
          minimum: 0,
          description: 'Number of requests from this address, updated every second.',
        }),
      ),
    },
    { description: 'An IP address or CIDR block from which a service account may call the API.' },
  );

/** No operation returns a single entry, so the `self` link of an entry leads to the list. */
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
