import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Id, Links } from '../../api/fields.ts';
import { RoleAssignment } from '../organizations/index.ts';

const AddressEntry = Type.Object({
  cidrBlock: Type.String({ description: 'CIDR block from which the API key may be used.' }),
  ipAddress: Type.Union([Type.String(), Type.Null()], {
    description: 'IP address from which the API key may be used; only if the entry is a single address.',
  }),
});

export const SystemStatus = entity(
  Type.Object({
    apiKey: Type.Optional(
      Type.Object({
        accessList: Type.Array(AddressEntry, { description: 'Access list of the API key.' }),
        id: Id(),
        publicKey: Type.String(),
        roles: Type.Array(RoleAssignment),
      }),
    ),
    appName: Type.String({ description: 'Always `Platform`.' }),
    build: Type.String({
      description: 'Commit from which the service was built: 40 hexadecimal characters.',
    }),
    links: Links,
    serviceAccount: Type.Optional(
      Type.Object({ clientId: Type.String(), roles: Type.Array(RoleAssignment) }),
    ),
    throttling: Type.Boolean({ description: 'Always false.' }),
    user: Type.Optional(
      Type.Object(
        { id: Id(), roles: Type.Array(RoleAssignment), username: Type.String() },
        { description: 'User who is logged in; only for requests with a console session.' },
      ),
    ),
  }),
  {
    name: 'root',
    self: 'getSystemStatus',
    params({ apiKey }) {
      const orgId = apiKey?.roles.find((role) => role.orgId !== undefined)?.orgId;
      return apiKey && orgId !== undefined ? { orgId, apiUserId: apiKey.id } : {};
    },
  },
);
