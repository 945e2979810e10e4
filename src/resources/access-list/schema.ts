import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { DateTime, Id, Links, readOnly } from '../../api/fields.ts';

export const AccessListEntry = entity(
  Type.Object(
    {
      awsSecurityGroup: Type.Optional(Type.String()),
      cidrBlock: Type.Optional(Type.String({ description: 'A block of IPv4 or IPv6 addresses.' })),
      comment: Type.Optional(Type.String({ default: '' })),
      deleteAfterDate: Type.Optional(
        DateTime({ description: 'When the entry removes itself; within 7 days.' }),
      ),
      groupId: readOnly(Id()),
      ipAddress: Type.Optional(Type.String({ description: 'One IPv4 or IPv6 address.' })),
      links: Links,
    },
    {
      description: 'An address, or a block of them, from which the clusters of a project accept connections.',
    },
  ),
  {
    name: 'accessListEntry',
    self: 'getProjectIpList',
    params: (e) => ({ groupId: e.groupId ?? '', entryValue: e.ipAddress ?? e.cidrBlock ?? '' }),
  },
);
export type AccessListEntry = Type.Static<typeof AccessListEntry>;
