import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../api/fields.ts';
import { units } from './figures/unmeasured.ts';
import { granularityNames } from './measured/granularity.ts';

const processTypes = [
  ...(['REPLICA_PRIMARY', 'REPLICA_SECONDARY', 'RECOVERING', 'SHARD_MONGOS', 'SHARD_CONFIG'] as const),
  ...(['SHARD_STANDALONE', 'SHARD_PRIMARY', 'SHARD_SECONDARY', 'NO_DATA'] as const),
] as const;
export type ProcessType = (typeof processTypes)[number];

export const Process = entity(
  Type.Object(
    {
      created: readOnly(DateTime({ description: 'When its cluster was made.' })),
      groupId: readOnly(Id()),
      hostname: readOnly(Type.String()),
      id: readOnly(Type.String({ description: 'Host and port.' })),
      lastPing: readOnly(DateTime({ description: 'When it was measured last.' })),
      links: Links,
      port: readOnly(Type.Integer()),
      replicaSetName: readOnly(Type.String()),
      shardName: readOnly(Type.String()),
      typeName: readOnly(Choice(processTypes)),
      userAlias: readOnly(Type.String({ description: 'Its name by that of its cluster.' })),
      version: readOnly(Type.String()),
    },
    { description: 'A node of a cluster.' },
  ),
  {
    name: 'process',
    self: 'getPlatformProcess',
    params: ({ groupId = '', hostname = '', id = '', replicaSetName }) => ({
      ...{ groupId, hostname, processId: id, hostName: id },
      // Routers are in none.
      logName: replicaSetName === undefined ? 'mongos' : 'db',
    }),
  },
);

export const Database = entity(
  Type.Object(
    { databaseName: readOnly(Type.String()), links: Links },
    { description: 'A database of a process.' },
  ),
  {
    name: 'processDatabase',
    self: 'getDatabase',
    params: ({ databaseName = '' }) => ({ databaseName }),
  },
);

export const DiskPartition = entity(
  Type.Object(
    { links: Links, partitionName: readOnly(Type.String()) },
    { description: 'A disk of a process.' },
  ),
  {
    name: 'diskPartition',
    self: 'listDiskMeasurements',
    params: ({ partitionName = '' }) => ({ partitionName }),
  },
);

const DataPoint = Type.Object({
  timestamp: DateTime({ description: 'When its time begins.' }),
  value: Type.Union([Type.Number(), Type.Null()]),
});

export const Measurement = Type.Object({
  dataPoints: Type.Array(DataPoint),
  name: Type.String(),
  units: Choice(units),
});

export const Measurements = Type.Object(
  {
    databaseName: readOnly(Type.String()),
    end: readOnly(DateTime()),
    granularity: readOnly(Choice(granularityNames)),
    groupId: readOnly(Id()),
    hostId: readOnly(Type.String()),
    links: Links,
    measurements: readOnly(Type.Array(Measurement)),
    partitionName: readOnly(Type.String()),
    processId: readOnly(Type.String()),
    start: readOnly(DateTime()),
  },
  { description: 'How metrics have gone; a point without a value was not measured.' },
);
export type Measurements = Type.Static<typeof Measurements>;

/** Which time is asked for, and how fine. */
export const rangeQuery = {
  granularity: ruled(Type.String({ description: 'How long the time of each point is.' }), {
    enum: [...granularityNames],
  }),
  period: Type.Optional(Type.String({ description: 'So long before now, ISO 8601: `PT36H`.' })),
  start: Type.Optional(DateTime({ description: 'With `end`, where no period is given.' })),
  end: Type.Optional(DateTime()),
};

/** Names of metrics, out of those that there are. */
export const metricNames = (names: Iterable<string>, options: object = {}) =>
  Type.Array(ruled(Type.String(), { enum: [...names] }), {
    ...{ minItems: 1, maxItems: 10, uniqueItems: true },
    ...options,
  });

/** The query of measurements; `names` are the metrics that there are. */
export const measurementQuery = (names: Iterable<string>) =>
  Type.Object({
    ...rangeQuery,
    m: Type.Optional(metricNames(names, { description: 'Metrics; all of them without it.' })),
  });
