import Type from 'typebox';
import { field } from './field.ts';

/** The connection strings of a cluster (docs/contract/api.md 2.18). */

const optional = Type.Optional;

const PrivateEndpoint = Type.Object({
  connectionString: Type.String(),
  endpoints: Type.Array(
    Type.Object({ endpointId: Type.String(), providerName: Type.String(), region: Type.String() }),
  ),
  srvConnectionString: Type.String(),
  srvShardOptimizedConnectionString: optional(Type.String()),
  type: Type.String(),
});

export const connectionFields = {
  awsPrivateLink: field(
    optional(Type.Record(Type.String(), Type.String())),
    'absent',
    'Always empty, since private endpoints are not supported.',
  ),
  awsPrivateLinkSrv: field(
    optional(Type.Record(Type.String(), Type.String())),
    'answered',
    'Empty while a sharded cluster is being created.',
  ),
  private: field(
    optional(Type.String()),
    'answered',
    'At AWS, with `--domain`, if custom DNS is enabled for the project.',
  ),
  privateEndpoint: field(
    optional(Type.Array(PrivateEndpoint)),
    'answered',
    'Empty while a sharded cluster is being created.',
  ),
  privateSrv: field(
    optional(Type.String()),
    'answered',
    'The SRV form of `private`; requires `--dns-listen`.',
  ),
  standard: field(optional(Type.String()), 'answered', 'Lists every node of a replica set, or every router.'),
  standardSrv: field(
    optional(Type.String()),
    'answered',
    'Requires `--domain` and `--dns-listen`, which serves its records.',
  ),
};
