import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { migrationStatuses } from './runs/states.ts';

const Destination = Type.Object({
  clusterName: Type.String({ description: 'Name of the destination cluster.' }),
  groupId: Id({ description: 'Id of the project of the destination cluster.' }),
  hostnameSchemaType: Choice(['PUBLIC', 'PRIVATE_LINK', 'VPC_PEERING'], {
    description:
      'How the migration host reaches the destination. Only `PUBLIC` is possible, since the service does not connect networks.',
  }),
  privateLinkId: Type.Optional(
    Type.String({ maxLength: 255, description: 'Id of the private endpoint; only for PRIVATE_LINK.' }),
  ),
});

const Source = Type.Object({
  caCertificatePath: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'Path of a file on the migration host with the CA certificate of the source. Requires `ssl`.',
    }),
  ),
  clusterName: Type.String({
    maxLength: 255,
    description: 'Name of the source deployment, as in the response of `listSourceProjects`.',
  }),
  groupId: Id({ description: 'Id of the source project, as in the response of `listSourceProjects`.' }),
  managedAuthentication: Type.Boolean({
    description:
      'Whether the migration host logs in to the source with the credentials of its `--source` setting, instead of `username` and `password`.',
  }),
  password: Type.Optional(
    Type.String({
      writeOnly: true,
      maxLength: 1024,
      description:
        'Password of the user of the source. The service stores it, encrypted, until the migration ends.',
    }),
  ),
  ssl: Type.Boolean({ description: 'Whether the source uses TLS.' }),
  username: Type.Optional(
    Type.String({
      writeOnly: true,
      maxLength: 1024,
      description: 'Name of a user of the source, who authenticates with a password (SCRAM).',
    }),
  ),
});

/** Maximum number of fields of an index. */
const MAX_KEY_FIELDS = 32;
/** Maximum number of sharded collections of a migration. All of them are sharded before the copy starts. */
const MAX_SHARDED = 1_000;

const ShardEntry = Type.Object({
  collection: Type.String({ writeOnly: true, maxLength: 255, description: 'Name of the collection.' }),
  database: Type.String({ writeOnly: true, maxLength: 63, description: 'Name of the database.' }),
  shardCollection: Type.Object({
    key: Type.Optional(
      Type.Array(
        Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: MAX_KEY_FIELDS }),
        {
          writeOnly: true,
          minItems: 1,
          maxItems: MAX_KEY_FIELDS,
          description:
            'The fields of the shard key in order, for example `[{"port": 1}, {"name": "hashed"}]`.',
        },
      ),
    ),
  }),
});

const Sharding = Type.Object(
  {
    createSupportingIndexes: Type.Boolean({
      writeOnly: true,
      description: 'Whether to create the indexes that the shard keys require and that the source lacks.',
    }),
    shardingEntries: Type.Optional(
      Type.Array(ShardEntry, { writeOnly: true, uniqueItems: true, maxItems: MAX_SHARDED }),
    ),
  },
  { description: 'Collections to shard at the destination. Allowed only if the source is a replica set.' },
);

const common = {
  _id: readOnly(Id()),
  destination: Destination,
  links: Links,
  migrationHosts: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      minItems: 1,
      maxItems: 1,
      description:
        'A list with one entry: the name of the migration host that copies the data. By default, any migration host that can reach the source copies the data.',
    }),
  ),
  source: Source,
};

export const MigrationRequest = Type.Object({
  ...common,
  dropDestinationData: Type.Optional(
    Type.Boolean({
      default: false,
      writeOnly: true,
      description: 'Whether to drop all collections of the destination before the copy.',
    }),
  ),
  sharding: Type.Optional(Sharding),
});
export type MigrationRequest = Type.Static<typeof MigrationRequest>;

/** The body in versions before 2024-05-30. */
export const FormerMigrationRequest = Type.Object({
  ...common,
  dropEnabled: Type.Boolean({
    writeOnly: true,
    description: 'Whether to drop all collections of the destination before the copy.',
  }),
});

export function readFormer({
  dropEnabled,
  ...body
}: Type.Static<typeof FormerMigrationRequest>): MigrationRequest {
  return { ...body, dropDestinationData: dropEnabled };
}

export const LiveMigration = entity(
  Type.Object(
    {
      _id: readOnly(Id()),
      errorMessage: readOnly(
        Type.String({
          description:
            'Why the migration failed, or what hindered a migration that expired; absent otherwise.',
        }),
      ),
      lagTimeSeconds: readOnly(
        Type.Union([Type.Integer({ format: 'int64' }), Type.Null()], {
          description:
            'Seconds by which the destination lags behind the source; null before the initial copy is complete and after the cutover.',
        }),
      ),
      links: Links,
      migrationHosts: readOnly(
        Type.Array(Type.String(), {
          description: 'A list with one entry: the name of the migration host that copies the data.',
        }),
      ),
      readyForCutover: readOnly(
        Type.Boolean({
          description: 'Whether the destination has nearly caught up, so that the cutover can be requested.',
        }),
      ),
      status: readOnly(
        Choice(migrationStatuses, {
          description:
            '`NEW`: the migration is being checked and prepared. `WORKING`: data is being copied, or the migration waits for the cutover. `EXPIRED`: no cutover was requested within 120 hours.',
        }),
      ),
    },
    {
      description:
        'A live migration: it copies a source deployment to a cluster, and applies later changes until the cutover.',
    },
  ),
  { name: 'liveMigration', self: 'getPushMigration', params: ({ _id }) => ({ liveMigrationId: _id ?? '' }) },
);

export const ListedMigration = entity(
  Type.Object(
    {
      ...LiveMigration.properties,
      destinationClusterName: Type.String({ description: 'Name of the destination cluster.' }),
      sourceClusterName: Type.String({ description: 'Name of the source deployment.' }),
    },
    { description: 'A live migration in the list of a project.' },
  ),
  {
    name: 'listedLiveMigration',
    self: 'getPushMigration',
    params: ({ _id }) => ({ liveMigrationId: _id ?? '' }),
  },
);

export const Validation = entity(
  Type.Object(
    {
      _id: readOnly(Id()),
      errorMessage: readOnly(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Why the migration is not possible; null if it is possible.',
        }),
      ),
      groupId: readOnly(Id()),
      links: Links,
      sourceGroupId: Type.Optional(Id({ description: 'Id of the source project.' })),
      status: readOnly(
        Choice(['PENDING', 'SUCCESS', 'FAILED'], {
          description: '`PENDING`: the checks are in progress. `SUCCESS`: the live migration is possible.',
        }),
      ),
    },
    { description: 'A validation, which checks whether a live migration is possible.' },
  ),
  {
    name: 'migrationValidation',
    self: 'getValidationStatus',
    params: ({ _id }) => ({ validationId: _id ?? '' }),
  },
);

const AvailableDeployment = Type.Object({
  agentVersion: readOnly(Type.String({ description: 'The version of the migration host.' })),
  clusterId: readOnly(Id()),
  dbSizeBytes: readOnly(
    Type.Integer({ format: 'int64', description: "The size of the deployment's data in bytes." }),
  ),
  dbVersion: readOnly(Type.String()),
  featureCompatibilityVersion: readOnly(
    Type.String({ description: 'Database version whose features the deployment uses.' }),
  ),
  managed: readOnly(
    Type.Boolean({
      description:
        'Whether MongoDB Cloud Manager or Ops Manager manages the deployment. Migration hosts always report false.',
    }),
  ),
  name: readOnly(Type.String({ description: 'Name of the deployment.' })),
  oplogSizeMB: readOnly(Type.Integer({ format: 'int32', description: 'Size of the oplog in megabytes.' })),
  sharded: readOnly(Type.Boolean({ description: 'Whether the deployment is a sharded cluster.' })),
  shardsSize: readOnly(
    Type.Integer({ format: 'int32', description: 'The number of shards of the deployment.' }),
  ),
  tlsEnabled: readOnly(Type.Boolean({ description: 'Whether the deployment uses TLS.' })),
});

export const AvailableProject = Type.Object(
  {
    deployments: Type.Optional(
      Type.Array(AvailableDeployment, { description: 'Deployments that can be migrated.' }),
    ),
    migrationHosts: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of the migration hosts.' }),
    ),
    name: readOnly(Type.String({ minLength: 1, maxLength: 64, description: 'Name of the source project.' })),
    projectId: readOnly(Id()),
  },
  {
    description:
      'A project of the source organization, with the deployments that can be migrated. Migration hosts report this data.',
  },
);

export const LinkTokenRequest = Type.Object({
  accessListIps: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 200,
      description: 'IP addresses and CIDR blocks from which the token may be used; all addresses by default.',
    }),
  ),
});

export const LinkToken = Type.Object(
  {
    linkToken: Type.String({
      description: 'Link token for `portolan link`. Only this response contains it.',
    }),
  },
  { description: 'A link token: the credential of the migration hosts of a source organization.' },
);
