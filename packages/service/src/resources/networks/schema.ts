import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

/** The virtual network of a project at a cloud provider, from which its dedicated clusters get addresses. */
export const Container = entity(
  Type.Object(
    {
      id: readOnly(Id()),
      links: Links,
      platformCidrBlock: Type.String({ description: 'Address block of the network.' }),
      providerName: Choice(['AWS', 'AZURE', 'GCP']),
      provisioned: readOnly(Type.Boolean()),
      regionName: Type.Optional(
        Type.String({ description: 'Region of the network; absent at GCP, where it spans all regions.' }),
      ),
    },
    { description: 'The virtual network of a project at a cloud provider.' },
  ),
  { name: 'container', self: 'getPeeringContainer', params: ({ id }) => ({ containerId: id ?? '' }) },
);

export const PrivateIpMode = entity(
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether clusters are reachable over peered networks only.' }),
    links: Links,
  }),
  { name: 'privateIpMode', self: 'getPrivateIpMode', params: () => ({}) },
);

export const CustomDns = entity(
  Type.Object(
    {
      enabled: Type.Boolean({
        description: 'Whether AWS clusters also have host names for custom DNS servers.',
      }),
      links: Links,
    },
    { description: 'The custom DNS setting of a project.' },
  ),
  { name: 'awsCustomDns', self: 'getAwsCustomDns', params: () => ({}) },
);
