import Type, { type TSchema } from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links } from '../../../api/fields.ts';
import { AdvancedConfiguration, type TlsSettings } from '../model/settings.ts';

/**
 * This file declares the process arguments of the database server. Responses contain null for an argument
 * that is not set.
 */

const unset = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

const fields = {
  ...AdvancedConfiguration.properties,
  links: Links,
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: unset(
    Type.Integer({
      description:
        'Seconds for which pre- and post-images of change streams are kept; -1 keeps them as long as the oplog.',
    }),
  ),
  chunkMigrationConcurrency: unset(
    Type.Integer({
      description:
        'Number of threads that migrate chunks; only for sharded clusters of version 5.0 or later.',
    }),
  ),
  defaultMaxTimeMS: unset(
    Type.Integer({
      description: 'Time limit in milliseconds of reads that specify none; only for version 8.0 or later.',
    }),
  ),
  defaultWriteConcern: unset(
    Type.String({
      description: 'Write concern of writes that specify none: `majority`, or a number of nodes from 1 to 7.',
    }),
  ),
  javascriptEnabled: Type.Optional(
    Type.Boolean({ description: 'Whether `$where`, `$function` and `mapReduce` can run scripts.' }),
  ),
  noTableScan: Type.Optional(
    Type.Boolean({ description: 'Whether queries that would scan the whole collection are rejected.' }),
  ),
  oplogMinRetentionHours: unset(
    Type.Number({
      description: 'Minimum number of hours for which oplog entries are kept. Requires disk autoscaling.',
    }),
  ),
  oplogSizeMB: unset(Type.Integer({ description: 'Maximum size of the oplog in megabytes, at least 990.' })),
  queryStatsLogVerbosity: unset(
    Type.Integer({
      description:
        'Verbosity of query statistics in the log: 1 or 3. The value is stored, but has no effect.',
    }),
  ),
  sampleRefreshIntervalBIConnector: unset(
    Type.Integer({
      description: 'Seconds between samples of the BI connector. The value is stored, but has no effect.',
    }),
  ),
  sampleSizeBIConnector: unset(
    Type.Integer({
      description:
        'Number of documents in a sample of the BI connector. The value is stored, but has no effect.',
    }),
  ),
  transactionLifetimeLimitSeconds: unset(
    Type.Integer({ minimum: 1, description: 'Seconds after which an open transaction is aborted.' }),
  ),
};

const rule = { name: 'processArguments', self: 'getClusterAdvancedConfiguration', params: () => ({}) };
const description =
  'The process arguments of a cluster: settings of its database servers. A setting without a value is null.';

export const ProcessArguments = entity(Type.Object(fields, { description }), rule);
export type ProcessArguments = Type.Static<typeof ProcessArguments>;

/** Versions before 2024-08-05 have two more fields. */
export const FormerArguments = entity(
  Type.Object(
    {
      ...fields,
      defaultReadConcern: unset(
        Choice(['local', 'available'], { description: 'Read concern of reads that specify none.' }),
      ),
      failIndexKeyTooLong: unset(
        Type.Boolean({
          description:
            'Whether documents with an index key above 1024 bytes are rejected. The value is stored, but has no effect.',
        }),
      ),
    },
    { description },
  ),
  rule,
);
export type FormerArguments = Type.Static<typeof FormerArguments> & TlsSettings;
