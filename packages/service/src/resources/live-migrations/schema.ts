import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { migrationStatuses } from './runs/states.ts';

const Destination = Type.Object({
  clusterName: Type.String({ description: 'The destination cluster.' }),
  groupId: Id({ description: 'Its project.' }),
  hostnameSchemaType: Choice(['PUBLIC', 'PRIVATE_LINK', 'VPC_PEERING'], {
    description: 'How the migration host reaches the destination.',
  }),
  privateLinkId: Type.Optional(Type.String({ description: 'The private endpoint, for PRIVATE_LINK.' })),
});

const Source = Type.Object({
  caCertificatePath: Type.Optional(
    Type.String({
      description: 'Path on the migration host to the CA certificate of the source; used with ssl.',
    }),
  ),
  clusterName: Type.String({ description: 'A source deployment of the available projects.' }),
  groupId: Id({ description: 'Id of the source project, as in the list of available projects.' }),
  managedAuthentication: Type.Boolean({
    description: 'Whether the migration host uses the credentials of its own connection string.',
  }),
  password: Type.Optional(Type.String({ writeOnly: true, description: 'Kept until the migration ends.' })),
  ssl: Type.Boolean({ description: 'Whether the source uses TLS.' }),
  username: Type.Optional(Type.String({ writeOnly: true, description: 'A SCRAM user of the source.' })),
});

/** Maximum number of fields of an index. */
const MAX_KEY_FIELDS = 32;
/** Maximum number of sharded collections of a migration: all are sharded before the copy starts. */
const MAX_SHARDED = 1_000;

const ShardEntry = Type.Object({
  collection: Type.String({ writeOnly: true }),
  database: Type.String({ writeOnly: true }),
  shardCollection: Type.Object({
    key: Type.Optional(
      Type.Array(
        Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: MAX_KEY_FIELDS }),
        {
          writeOnly: true,
          minItems: 1,
          maxItems: MAX_KEY_FIELDS,
          description: 'The fields of the shard key in order: `[{"port": 1}, {"name": "hashed"}]`.',
        },
      ),
    ),
  }),
});

const Sharding = Type.Object(
  {
    createSupportingIndexes: Type.Boolean({
      writeOnly: true,
      description: 'Whether to create the indexes that shard keys need if the source lacks them.',
    }),
    shardingEntries: Type.Optional(
      Type.Array(ShardEntry, { writeOnly: true, uniqueItems: true, maxItems: MAX_SHARDED }),
    ),
  },
  { description: 'The collections to shard at the destination, for a replica set source.' },
);

const common = {
  _id: readOnly(Id()),
  destination: Destination,
  links: Links,
  migrationHosts: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1,
      description: 'The migration host to use; by default any that reaches the source.',
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
      description: 'Whether to drop all collections of the destination first.',
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
    description: 'Whether to drop all collections of the destination first.',
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
      errorMessage: readOnly(Type.String({ description: 'Why the migration failed.' })),
      lagTimeSeconds: readOnly(
        Type.Union([Type.Integer({ format: 'int64' }), Type.Null()], {
          description: 'The lag of the destination in seconds, between the initial copy and the cutover.',
        }),
      ),
      links: Links,
      migrationHosts: readOnly(Type.Array(Type.String())),
      readyForCutover: readOnly(Type.Boolean()),
      status: readOnly(Choice(migrationStatuses)),
    },
    {
      description:
        'A live migration, which copies a source to a cluster and applies changes of the source until the cutover.',
    },
  ),
  { name: 'liveMigration', self: 'getPushMigration', params: ({ _id }) => ({ liveMigrationId: _id ?? '' }) },
);

export const Validation = entity(
  Type.Object(
    {
      _id: readOnly(Id()),
      errorMessage: readOnly(
        Type.Union([Type.String(), Type.Null()], { description: 'The obstacle to the migration.' }),
      ),
      groupId: readOnly(Id()),
      links: Links,
      sourceGroupId: Type.Optional(Id()),
      status: readOnly(Choice(['PENDING', 'SUCCESS', 'FAILED'])),
    },
    { description: 'The validation of a migration.' },
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
  featureCompatibilityVersion: readOnly(Type.String()),
  managed: readOnly(Type.Boolean({ description: 'Whether the deployment is managed.' })),
  name: readOnly(Type.String()),
  oplogSizeMB: readOnly(Type.Integer({ format: 'int32' })),
  sharded: readOnly(Type.Boolean()),
  shardsSize: readOnly(
    Type.Integer({ format: 'int32', description: 'The number of shards of the deployment.' }),
  ),
  tlsEnabled: readOnly(Type.Boolean()),
});

export const AvailableProject = Type.Object(
  {
    deployments: Type.Optional(Type.Array(AvailableDeployment)),
    migrationHosts: Type.Optional(Type.Array(Type.String())),
    name: readOnly(Type.String({ minLength: 1, maxLength: 64 })),
    projectId: readOnly(Id()),
  },
  { description: 'A project of the source organization, as its migration hosts report it.' },
);

export const LinkTokenRequest = Type.Object({
  accessListIps: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 200,
      description: 'The addresses and blocks from which the token may be used; any if omitted.',
    }),
  ),
});

export const LinkToken = Type.Object(
  { linkToken: Type.String({ description: 'The token for `portolan link`; returned only once.' }) },
  { description: 'The credential of a migration host of the source organization.' },
);
