import Type from 'typebox';
import { wholeSeconds } from '../../api/dates.ts';
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
      created: readOnly(DateTime({ description: 'Creation time of the cluster.' })),
      groupId: readOnly(Id()),
      hostname: readOnly(Type.String()),
      id: readOnly(Type.String({ description: 'Host and port of the node, which identify the process.' })),
      lastPing: readOnly(DateTime({ description: 'Time of the latest measurement.' })),
      links: Links,
      port: readOnly(Type.Integer()),
      replicaSetName: readOnly(Type.String()),
      shardName: readOnly(Type.String()),
      typeName: readOnly(Choice(processTypes, { description: 'Kind and current role of the node.' })),
      userAlias: readOnly(
        Type.String({
          description:
            'Host name of the node. If the node has only an IP address, this is a name derived from the name of the cluster.',
        }),
      ),
      version: readOnly(Type.String({ description: 'Database version that the node reports.' })),
    },
    { description: 'A process: a node of a cluster.' },
  ),
  {
    name: 'process',
    self: 'getPlatformProcess',
    params: ({ groupId = '', hostname = '', id = '', replicaSetName }) => ({
      ...{ groupId, hostname, processId: id, hostName: id },
      // Routers belong to no replica set, and have their own log.
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
  timestamp: DateTime({ description: 'Start of the interval that the data point covers.' }),
  value: Type.Union([Type.Number(), Type.Null()], {
    description: 'Value of the metric; null if it was not measured.',
  }),
});

export const Measurement = Type.Object({
  dataPoints: Type.Array(DataPoint),
  name: Type.String({ description: 'Name of the metric.' }),
  units: Choice(units),
});

/** How many metrics a query can name. */
const MAX_METRICS = 10;

interface MeasuredRange {
  readonly start?: Date | string;
  readonly end?: Date | string;
  readonly granularity?: string;
}

/**
 * Returns the query of the `self` link of measurements. If the measurements have more metrics than a query may name,
 * the query names no metrics, and so returns all of them.
 */
export function measuredQuery(
  { start = '', end = '', granularity = '' }: MeasuredRange,
  parameter: 'm' | 'metrics',
  measurements: readonly { readonly name: string }[] = [],
): (readonly [string, string])[] {
  const names = measurements.length > MAX_METRICS ? [] : measurements.map(({ name }) => name);
  return [
    ['end', wholeSeconds(new Date(end))],
    ['granularity', granularity],
    ...names.map((name) => [parameter, name] as const),
    ['start', wholeSeconds(new Date(start))],
  ];
}

export const Measurements = entity(
  Type.Object(
    {
      databaseName: readOnly(Type.String()),
      end: readOnly(DateTime({ description: 'End of the time range.' })),
      granularity: readOnly(Choice(granularityNames)),
      groupId: readOnly(Id()),
      hostId: readOnly(Type.String()),
      links: Links,
      measurements: readOnly(Type.Array(Measurement)),
      partitionName: readOnly(Type.String()),
      processId: readOnly(Type.String()),
      start: readOnly(DateTime({ description: 'Start of the time range.' })),
    },
    { description: 'Metrics over time. The value of an interval without measurements is null.' },
  ),
  {
    name: 'measurements',
    self: ({ databaseName, partitionName }) =>
      databaseName !== undefined
        ? 'getDatabaseMeasurements'
        : partitionName === undefined
          ? 'getHostMeasurements'
          : 'getDiskMeasurements',
    params: () => ({}),
    query: (range) => measuredQuery(range, 'm', range.measurements),
  },
);
export type Measurements = Type.Static<typeof Measurements>;

/** Time range and granularity of a query. */
export const rangeQuery = {
  granularity: ruled(
    Type.String({
      description: 'Interval that each data point covers, as an ISO 8601 duration such as `PT1M`.',
    }),
    {
      enum: [...granularityNames],
    },
  ),
  period: Type.Optional(
    Type.String({
      description: 'Length of a time range that ends now, as an ISO 8601 duration such as `PT36H`.',
    }),
  ),
  start: Type.Optional(
    DateTime({
      description: 'Start of the time range. Requires `end`, and cannot be combined with `period`.',
    }),
  ),
  end: Type.Optional(DateTime({ description: 'End of the time range. Requires `start`.' })),
};

/** Returns the schema for a list of metric names. `names` are the valid names. */
export const metricNames = (names: Iterable<string>, options: object = {}) =>
  Type.Array(ruled(Type.String(), { enum: [...names] }), {
    ...{ minItems: 1, maxItems: MAX_METRICS, uniqueItems: true },
    ...options,
  });

/** Returns the schema for the query of operations that return measurements. `names` are the available metrics. */
export const measurementQuery = (names: Iterable<string>) =>
  Type.Object({
    ...rangeQuery,
    m: Type.Optional(metricNames(names, { description: 'Names of the metrics to return; all by default.' })),
  });
