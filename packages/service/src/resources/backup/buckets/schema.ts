import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;

const common = {
  _id: readOnly(Id()),
  bucketName: optional(
    ruled(Type.String({ description: 'Name of the bucket, or of the container at Azure.' }), {
      minLength: 3,
      maxLength: 63,
    }),
  ),
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  iamRoleId: optional(
    Id({ description: 'Id of the access role with which the service accesses the bucket.' }),
  ),
  links: Links,
  region: readOnly(Type.String({ description: 'Region of the bucket; only for AWS.' })),
  requirePrivateNetworking: readOnly(Type.Boolean()),
  serviceUrl: optional(
    ruled(
      Type.String({
        description: 'URL of the storage account, optionally followed by the container; only for Azure.',
      }),
      {
        minLength: 33,
        maxLength: 2048,
      },
    ),
  ),
  tenantId: optional(
    Type.String({
      maxLength: 64,
      description: 'Id of the Azure tenant. It is ignored, since the access role determines the tenant.',
    }),
  ),
};

const rule = {
  name: 'exportBucket',
  self: 'getExportBucket',
  params: ({ _id = '' }: { readonly _id?: string | undefined }) => ({ exportBucketId: _id }),
};
const description = 'An export bucket: a bucket at a cloud provider to which snapshots are exported.';

/** The access role is `iamRoleId` for AWS and `roleId` for other providers. */
export const ExportBucket = entity(
  Type.Object(
    {
      ...common,
      roleId: optional(
        Id({
          description:
            'Id of the access role with which the service accesses the bucket; only for Azure and GCP.',
        }),
      ),
    },
    { description },
  ),
  rule,
);
export type ExportBucket = Type.Static<typeof ExportBucket>;

/** Versions before 2024-05-30 use `iamRoleId` for every provider. */
export const FormerExportBucket = entity(Type.Object(common, { description }), rule);
