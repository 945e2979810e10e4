import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Id, Links } from '../../api/fields.ts';
import { RoleAssignment } from '../organizations/index.ts';

const AddressEntry = Type.Object({
  cidrBlock: Type.String(),
  ipAddress: Type.Union([Type.String(), Type.Null()]),
});

export const SystemStatus = entity(
  Type.Object({
    apiKey: Type.Optional(
      Type.Object({
        accessList: Type.Array(AddressEntry),
        id: Id(),
        publicKey: Type.String(),
        roles: Type.Array(RoleAssignment),
      }),
    ),
    appName: Type.String(),
    build: Type.String({ description: 'Commit of the build, 40 hexadecimal characters.' }),
    links: Links,
    serviceAccount: Type.Optional(
      Type.Object({ clientId: Type.String(), roles: Type.Array(RoleAssignment) }),
    ),
    throttling: Type.Boolean(),
    user: Type.Optional(
      Type.Object(
        { id: Id(), roles: Type.Array(RoleAssignment), username: Type.String() },
        { description: 'The person whose session the request uses.' },
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
