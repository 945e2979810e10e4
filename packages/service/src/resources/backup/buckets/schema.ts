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
  iamRoleId: optional(Id({ description: 'The access role that grants access to the bucket.' })),
  links: Links,
  region: readOnly(Type.String({ description: 'The region of an AWS bucket.' })),
  requirePrivateNetworking: readOnly(Type.Boolean()),
  serviceUrl: optional(
    ruled(
      Type.String({
        description: 'AZURE only: the URL of the storage account, optionally with the container.',
      }),
      {
        minLength: 33,
        maxLength: 2048,
      },
    ),
  ),
  tenantId: optional(
    Type.String({ description: 'AZURE only: accepted and ignored; the access role determines the tenant.' }),
  ),
};

const rule = {
  name: 'exportBucket',
  self: 'getExportBucket',
  params: ({ _id = '' }: { readonly _id?: string | undefined }) => ({ exportBucketId: _id }),
};
const description = 'A bucket for exported snapshots.';

/** The access role is `iamRoleId` at AWS and `roleId` at other providers. */
export const ExportBucket = entity(
  Type.Object(
    { ...common, roleId: optional(Id({ description: 'The access role, for AZURE and GCP.' })) },
    { description },
  ),
  rule,
);
export type ExportBucket = Type.Static<typeof ExportBucket>;

/** Versions before 2024-05-30 use `iamRoleId` for every provider. */
export const FormerExportBucket = entity(Type.Object(common, { description }), rule);
