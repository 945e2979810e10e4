import Type from 'typebox';
import { field } from './field.ts';

/** This file declares the connection strings of a cluster (docs/contract/api.md 2.18). */

const optional = Type.Optional;

const PrivateEndpoint = Type.Object({
  connectionString: Type.String({
    description: 'Connection string with the addresses of the private endpoints.',
  }),
  endpoints: Type.Array(
    Type.Object({ endpointId: Type.String(), providerName: Type.String(), region: Type.String() }),
    { description: 'Private endpoints whose addresses the connection string contains.' },
  ),
  srvConnectionString: Type.String(),
  srvShardOptimizedConnectionString: optional(Type.String()),
  type: Type.String(),
});

export const connectionFields = {
  awsPrivateLink: field(
    optional(Type.Record(Type.String(), Type.String())),
    'absent',
    'Always absent, since drivers cannot reach clusters through private endpoints.',
  ),
  awsPrivateLinkSrv: field(
    optional(Type.Record(Type.String(), Type.String())),
    'answered',
    'An empty object while a sharded cluster is being created; otherwise absent.',
  ),
  private: field(
    optional(Type.String()),
    'answered',
    'Connection string with private host names. Present only for clusters at AWS, if custom DNS is enabled for the project and the service was started with `--domain`.',
  ),
  privateEndpoint: field(
    optional(Type.Array(PrivateEndpoint)),
    'answered',
    'An empty list while a sharded cluster is being created; otherwise absent.',
  ),
  privateSrv: field(
    optional(Type.String()),
    'answered',
    'The SRV form of `private`. Present only if the service was started with `--domain` and `--dns-listen`.',
  ),
  standard: field(
    optional(Type.String()),
    'answered',
    'Connection string with the addresses of all nodes of a replica set, or of all routers of a sharded cluster.',
  ),
  standardSrv: field(
    optional(Type.String()),
    'answered',
    'The SRV form of `standard`. Present only if the service was started with `--domain` and `--dns-listen`.',
  ),
};
