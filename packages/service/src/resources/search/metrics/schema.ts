import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import {
  granularityNames,
  Measurement,
  measuredQuery,
  metricNames,
  rangeQuery,
  units,
} from '../../monitoring/index.ts';

const Metric = Type.Object({ metricName: Type.String(), units: Choice(units) });
const metrics = (description: string) => readOnly(Type.Array(Metric, { description }));

export const SearchMetrics = entity(
  Type.Object(
    {
      groupId: readOnly(Id()),
      hardwareMetrics: metrics('Metrics of the search threads.'),
      indexMetrics: metrics('Metrics of individual indexes.'),
      links: Links,
      processId: readOnly(Type.String()),
      statusMetrics: metrics('Metrics of all indexes of the process.'),
    },
    { description: 'The available search metrics.' },
  ),
  {
    name: 'searchMetrics',
    self: 'listMetricTypes',
    params: ({ groupId = '', processId = '' }) => ({ groupId, processId }),
  },
);

const range = {
  end: readOnly(DateTime({ description: 'End of the time range.' })),
  granularity: readOnly(Choice(granularityNames)),
  groupId: readOnly(Id()),
  links: Links,
  processId: readOnly(Type.String()),
  start: readOnly(DateTime({ description: 'Start of the time range.' })),
};

export const SearchMeasurements = entity(
  Type.Object(
    {
      ...range,
      hardwareMeasurements: readOnly(Type.Array(Measurement)),
      statusMeasurements: readOnly(Type.Array(Measurement)),
    },
    { description: 'Metrics of the search threads over time.' },
  ),
  {
    name: 'searchMeasurements',
    self: 'getMeasurements',
    params: () => ({}),
    query: ({ hardwareMeasurements = [], statusMeasurements = [], ...range }) =>
      measuredQuery(range, 'metrics', [...hardwareMeasurements, ...statusMeasurements]),
  },
);

export const IndexMeasurements = entity(
  Type.Object(
    {
      ...range,
      collectionName: readOnly(Type.String()),
      databaseName: readOnly(Type.String()),
      indexIds: readOnly(Type.Array(Id(), { description: 'Ids of the indexes whose metrics are combined.' })),
      indexStatsMeasurements: readOnly(Type.Array(Measurement)),
    },
    { description: 'Metrics of search indexes over time.' },
  ),
  {
    name: 'searchIndexMeasurements',
    self: (_, path) => (path.indexName === undefined ? 'listIndexMetrics' : 'getIndexMetrics'),
    params: () => ({}),
    query: ({ indexStatsMeasurements, ...range }) => measuredQuery(range, 'metrics', indexStatsMeasurements),
  },
);

/** Returns the schema for the query of operations that return search metrics. `names` are the available metrics. */
export const searchMetricsQuery = (names: Iterable<string>) =>
  Type.Object({
    ...rangeQuery,
    metrics: metricNames(names, { description: 'Names of the metrics to return.' }),
  });
