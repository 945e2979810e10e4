import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

/** The virtual network of a project at a cloud provider: its dedicated clusters there have addresses out of it. */
export const Container = entity(
  Type.Object(
    {
      id: readOnly(Id()),
      links: Links,
      platformCidrBlock: Type.String({ description: 'The block of its addresses.' }),
      providerName: Choice(['AWS', 'AZURE', 'GCP']),
      provisioned: readOnly(Type.Boolean()),
      regionName: Type.Optional(
        Type.String({ description: 'At AWS and AZURE; one at GCP spans all regions.' }),
      ),
    },
    { description: 'The virtual network of a project at a cloud provider.' },
  ),
  { name: 'container', self: 'getPeeringContainer', params: ({ id }) => ({ containerId: id ?? '' }) },
);

export const PrivateIpMode = entity(
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether clusters are reached over peered networks alone.' }),
    links: Links,
  }),
  { name: 'privateIpMode', self: 'getPrivateIpMode', params: () => ({}) },
);

export const CustomDns = Type.Object(
  {
    enabled: Type.Boolean({
      description: 'Whether clusters at AWS are also told by names for DNS servers of their users.',
    }),
  },
  { description: 'The names of clusters at AWS for DNS servers of their users.' },
);
