import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;

const common = {
  _id: readOnly(Id()),
  bucketName: optional(
    ruled(Type.String({ description: 'The bucket, or the container at AZURE.' }), {
      minLength: 3,
      maxLength: 63,
    }),
  ),
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  iamRoleId: optional(Id({ description: 'The access role by which the bucket is reached.' })),
  links: Links,
  region: readOnly(Type.String({ description: 'Where a bucket at AWS is.' })),
  requirePrivateNetworking: readOnly(Type.Boolean()),
  serviceUrl: optional(
    ruled(
      Type.String({ description: 'AZURE: where the storage account is, with the container or without.' }),
      {
        minLength: 33,
        maxLength: 2048,
      },
    ),
  ),
  tenantId: optional(Type.String({ description: 'AZURE: accepted; the tenant is that of the role.' })),
};

const rule = {
  name: 'exportBucket',
  self: 'getExportBucket',
  params: ({ _id = '' }: { readonly _id?: string | undefined }) => ({ exportBucketId: _id }),
};
const description = 'A bucket into which snapshots are exported.';

/** The role goes by the name of `iamRoleId` at AWS, and by that of `roleId` elsewhere. */
export const ExportBucket = entity(
  Type.Object(
    { ...common, roleId: optional(Id({ description: 'The same, for AZURE and GCP.' })) },
    { description },
  ),
  rule,
);
export type ExportBucket = Type.Static<typeof ExportBucket>;

/** Until 2024-05-30 the role of each provider went by the name of `iamRoleId`. */
export const FormerExportBucket = entity(Type.Object(common, { description }), rule);
