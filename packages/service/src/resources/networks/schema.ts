import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Links } from '../../api/fields.ts';

export const PrivateIpMode = entity(
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether clusters are reachable only over peered networks.' }),
    links: Links,
  }),
  { name: 'privateIpMode', self: 'getPrivateIpMode', params: () => ({}) },
);

export const CustomDns = entity(
  Type.Object(
    {
      enabled: Type.Boolean({
        description:
          'Whether AWS clusters also have connection strings with private host names, which custom DNS servers resolve.',
      }),
      links: Links,
    },
    { description: 'The custom DNS setting of a project.' },
  ),
  { name: 'awsCustomDns', self: 'getAwsCustomDns', params: () => ({}) },
);
