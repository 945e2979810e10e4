import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { CidrBlock, DateTime, Id, IpAddress, Links, readOnly, ruled } from '../../api/fields.ts';

/** Maximum length of a comment in characters. */
export const MAX_COMMENT = 80;

export const AccessListEntry = entity(
  Type.Object(
    {
      awsSecurityGroup: Type.Optional(
        Type.String({
          description: 'Id of an AWS security group. Requires an established peering connection.',
        }),
      ),
      cidrBlock: Type.Optional(CidrBlock),
      comment: Type.Optional(ruled(Type.String({ default: '' }), { maxLength: MAX_COMMENT })),
      deleteAfterDate: Type.Optional(
        DateTime({
          description:
            'Time at which the service removes the entry, at most 7 days from now. Without it, the entry does not expire.',
        }),
      ),
      groupId: readOnly(Id()),
      ipAddress: Type.Optional(IpAddress),
      links: Links,
    },
    {
      description: 'An IP address or CIDR block from which the clusters of a project accept connections.',
    },
  ),
  {
    name: 'accessListEntry',
    self: 'getProjectIpList',
    params: (e) => ({ groupId: e.groupId ?? '', entryValue: e.ipAddress ?? e.cidrBlock ?? '' }),
  },
);
export type AccessListEntry = Type.Static<typeof AccessListEntry>;

/** A request body may repeat the project of the path. Another project is rejected with a specific error code. */
export const NewAccessListEntry = Type.Object({
  ...AccessListEntry.properties,
  groupId: Type.Optional(Id()),
});
