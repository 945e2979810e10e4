import Type, { type TSchema } from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links } from '../../../api/fields.ts';
import { AdvancedConfiguration } from '../model/settings.ts';

/** Configuration of the database server. Responses contain null for values that are not set. */

const unset = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

const fields = {
  ...AdvancedConfiguration.properties,
  links: Links,
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: unset(
    Type.Integer({
      description:
        'Retention of change stream pre- and post-images in seconds; -1 keeps them as long as the oplog.',
    }),
  ),
  chunkMigrationConcurrency: unset(
    Type.Integer({ description: 'Only for sharded clusters, from version 5.0 on.' }),
  ),
  defaultMaxTimeMS: unset(
    Type.Integer({ description: 'Default time limit of reads in milliseconds; from version 8.0 on.' }),
  ),
  defaultWriteConcern: unset(Type.String({ description: '`majority` or a number of nodes from 1 to 7.' })),
  javascriptEnabled: Type.Optional(Type.Boolean()),
  noTableScan: Type.Optional(Type.Boolean()),
  oplogMinRetentionHours: unset(Type.Number()),
  oplogSizeMB: unset(Type.Integer()),
  queryStatsLogVerbosity: unset(Type.Integer({ description: '1 or 3.' })),
  sampleRefreshIntervalBIConnector: unset(Type.Integer()),
  sampleSizeBIConnector: unset(Type.Integer()),
  transactionLifetimeLimitSeconds: unset(Type.Integer({ minimum: 1 })),
};

const rule = { name: 'processArguments', self: 'getClusterAdvancedConfiguration', params: () => ({}) };
const description = 'The configuration of the database server of a cluster.';

export const ProcessArguments = entity(Type.Object(fields, { description }), rule);
export type ProcessArguments = Type.Static<typeof ProcessArguments>;

/** Versions before 2024-08-05 have two more fields. */
export const FormerArguments = entity(
  Type.Object(
    {
      ...fields,
      defaultReadConcern: unset(Choice(['local', 'available'])),
      failIndexKeyTooLong: unset(Type.Boolean()),
    },
    { description },
  ),
  rule,
);
export type FormerArguments = Type.Static<typeof FormerArguments>;
