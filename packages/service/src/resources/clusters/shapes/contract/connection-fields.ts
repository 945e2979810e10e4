import Type from 'typebox';
import { field } from './field.ts';

/** The connection strings of a cluster (contract 2.18). */

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
    'There are no private endpoints.',
  ),
  awsPrivateLinkSrv: field(
    optional(Type.Record(Type.String(), Type.String())),
    'answered',
    'Empty, while a sharded cluster is being made.',
  ),
  private: field(
    optional(Type.String()),
    'answered',
    'At AWS, below `--domain`, while the project has its own DNS servers.',
  ),
  privateEndpoint: field(
    optional(Type.Array(PrivateEndpoint)),
    'answered',
    'Empty, while a sharded cluster is being made.',
  ),
  privateSrv: field(optional(Type.String()), 'answered', 'As `private`, with `--dns-listen`.'),
  standard: field(optional(Type.String()), 'answered', 'Every node of a replica set, or every router.'),
  standardSrv: field(
    optional(Type.String()),
    'answered',
    'With `--domain` and `--dns-listen`, where its records are kept.',
  ),
};
