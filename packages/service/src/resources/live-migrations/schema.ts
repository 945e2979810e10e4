import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { migrationStatuses } from './runs/states.ts';

const Destination = Type.Object({
  clusterName: Type.String({ description: 'The cluster that is filled.' }),
  groupId: Id({ description: 'Its project.' }),
  hostnameSchemaType: Choice(['PUBLIC', 'PRIVATE_LINK', 'VPC_PEERING'], {
    description: 'How the migration host reaches it.',
  }),
  privateLinkId: Type.Optional(Type.String({ description: 'The endpoint, for PRIVATE_LINK.' })),
});

const Source = Type.Object({
  caCertificatePath: Type.Optional(
    Type.String({ description: 'A file of the migration host with the authority of the source, for ssl.' }),
  ),
  clusterName: Type.String({ description: 'A deployment of the available projects.' }),
  groupId: Id({ description: 'Its project, by the id in the available projects.' }),
  managedAuthentication: Type.Boolean({
    description: 'Whether the migration host logs in as it does to report the source.',
  }),
  password: Type.Optional(Type.String({ writeOnly: true, description: 'Kept until the migration ends.' })),
  ssl: Type.Boolean({ description: 'Whether the source takes TLS.' }),
  username: Type.Optional(Type.String({ writeOnly: true, description: 'A user of SCRAM at the source.' })),
});

/** As many fields as an index may have. */
const MOST_KEY_FIELDS = 32;
/** Of one migration: each is sharded before anything is copied. */
const MOST_SHARDED = 1_000;

const ShardEntry = Type.Object({
  collection: Type.String({ writeOnly: true }),
  database: Type.String({ writeOnly: true }),
  shardCollection: Type.Object({
    key: Type.Optional(
      Type.Array(
        Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: MOST_KEY_FIELDS }),
        {
          writeOnly: true,
          minItems: 1,
          maxItems: MOST_KEY_FIELDS,
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
      description: 'Whether the indexes that shard keys need are made where the source has none.',
    }),
    shardingEntries: Type.Optional(
      Type.Array(ShardEntry, { writeOnly: true, uniqueItems: true, maxItems: MOST_SHARDED }),
    ),
  },
  { description: 'Collections that are sharded at the destination; the source is a replica set.' },
);

const common = {
  _id: readOnly(Id()),
  destination: Destination,
  links: Links,
  migrationHosts: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1,
      description: 'The migration host that does the work; one that reaches the source by default.',
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
      description: 'Whether all collections of the destination are dropped first.',
    }),
  ),
  sharding: Type.Optional(Sharding),
});
export type MigrationRequest = Type.Static<typeof MigrationRequest>;

/** Before the version 2024-05-30. */
export const FormerMigrationRequest = Type.Object({
  ...common,
  dropEnabled: Type.Boolean({
    writeOnly: true,
    description: 'Whether all collections of the destination are dropped first.',
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
      lagTimeSeconds: readOnly(
        Type.Union([Type.Integer({ format: 'int64' }), Type.Null()], {
          description: 'How far the destination is behind; from the first copy to the cutover.',
        }),
      ),
      links: Links,
      migrationHosts: readOnly(Type.Array(Type.String())),
      readyForCutover: readOnly(Type.Boolean()),
      status: readOnly(Choice(migrationStatuses)),
    },
    { description: 'The copy of a source into a cluster, and of its changes until the cutover.' },
  ),
  { name: 'liveMigration', self: 'getPushMigration', params: ({ _id }) => ({ liveMigrationId: _id ?? '' }) },
);

export const Validation = entity(
  Type.Object(
    {
      _id: readOnly(Id()),
      errorMessage: readOnly(
        Type.Union([Type.String(), Type.Null()], { description: 'What stands in the way of a migration.' }),
      ),
      groupId: readOnly(Id()),
      links: Links,
      sourceGroupId: Type.Optional(Id()),
      status: readOnly(Choice(['PENDING', 'SUCCESS', 'FAILED'])),
    },
    { description: 'Whether a migration would be possible.' },
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
  dbSizeBytes: readOnly(Type.Integer({ format: 'int64', description: 'Bytes of its data.' })),
  dbVersion: readOnly(Type.String()),
  featureCompatibilityVersion: readOnly(Type.String()),
  managed: readOnly(Type.Boolean({ description: 'Whether a service administers it.' })),
  name: readOnly(Type.String()),
  oplogSizeMB: readOnly(Type.Integer({ format: 'int32' })),
  sharded: readOnly(Type.Boolean()),
  shardsSize: readOnly(Type.Integer({ format: 'int32', description: 'The number of its shards.' })),
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
      description: 'Addresses and blocks from which the token may be used; from everywhere without any.',
    }),
  ),
});

export const LinkToken = Type.Object(
  { linkToken: Type.String({ description: 'For `portolan link`; shown this once.' }) },
  { description: 'What a migration host of the source organization proves itself with.' },
);
