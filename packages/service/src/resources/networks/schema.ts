import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Links } from '../../api/fields.ts';

export const PrivateIpMode = entity(
  Type.Object({
    enabled: Type.Boolean({
      description:
        'Whether private IP mode is enabled. Names of new clusters can then have at most 23 characters. The mode does not restrict connections.',
    }),
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
