import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const Region = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Region of the service at the provider.',
});
const fields = {
  cloudProvider: readOnly(Choice(['AWS', 'AZURE'], { description: 'Cloud provider of the endpoint.' })),
  errorMessage: readOnly(Type.Null({ description: 'Always null, since no connection is attempted.' })),
  id: readOnly(Id()),
  links: Links,
  privateEndpointConnectionName: readOnly(
    Type.Null({ description: 'Always null, since nothing is created at the provider.' }),
  ),
  regionName: Region,
  status: readOnly(
    Choice(['PENDING_ACCEPTANCE'], {
      description: 'Always PENDING_ACCEPTANCE, since nothing is created at the provider.',
    }),
  ),
};

export const KeyEndpoint = entity(
  Type.Object(fields, {
    description: 'A recorded private endpoint for encryption keys. The service does not connect it.',
  }),
  {
    name: 'keyEndpoint',
    self: 'getEncryptionAtRestPrivateEndpoint',
    params: ({ cloudProvider = '', id = '' }) => ({ cloudProvider, endpointId: id }),
  },
);

export const BucketEndpoint = entity(
  Type.Object(
    {
      ...fields,
      cloudProvider: optional(Choice(['AWS'], { description: 'Cloud provider of the endpoint.' })),
      vpcRegionName: optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Region of the network of the endpoint. By default, it is the region of the bucket.',
        }),
      ),
    },
    {
      description:
        'A recorded private endpoint for the export buckets in a region. The service does not connect it.',
    },
  ),
  {
    name: 'bucketEndpoint',
    self: 'getBackupPrivateEndpoint',
    params: ({ cloudProvider = '', id = '' }) => ({ cloudProvider, endpointId: id }),
  },
);
