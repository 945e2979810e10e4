import Type, { type TSchema } from 'typebox';
import { Choice, DateTime, Id } from '../../api/fields.ts';

const optional = Type.Optional;
export const DAY_MS = 86_400_000;
/** The latest representable time, in milliseconds since 1970. */
const LATEST = 8_640_000_000_000_000;

const namespaces = optional(
  Type.Array(Type.String({ minLength: 3, maxLength: 255 }), {
    maxItems: 100,
    description: 'Returns only results for these namespaces (`database.collection`).',
  }),
);

export const PeriodQuery = Type.Object({
  duration: optional(
    Type.Integer({
      minimum: 1,
      maximum: LATEST,
      description: `Length of the period in milliseconds; ${DAY_MS} (one day) by default.`,
    }),
  ),
  since: optional(
    Type.Integer({
      minimum: 0,
      maximum: LATEST,
      description:
        'Start of the period, in milliseconds since 1970. The default is the current time minus `duration`.',
    }),
  ),
});
export type PeriodQuery = Type.Static<typeof PeriodQuery>;

/** Maximum number of log lines in one response. */
export const MAX_LINES = 20_000;

const flag = (description: string) => optional(Type.Boolean({ default: false, description }));

export const SlowQueryLogQuery = Type.Object({
  ...PeriodQuery.properties,
  namespaces,
  nLogs: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_LINES,
      default: MAX_LINES,
      description: 'Maximum number of lines. If there are more, the newest are returned.',
    }),
  ),
  includeMetrics: flag('Whether to add the metrics of the operation to each line.'),
  includeReplicaState: flag('Whether to add the current state of the node to each line.'),
  includeOpType: flag('Whether to add the name of the command to each line.'),
});

export const SuggestionQuery = Type.Object({
  ...PeriodQuery.properties,
  namespaces,
  nExamples: optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 5,
      description: 'Maximum number of example operations for each query shape.',
    }),
  ),
  nIndexes: optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Maximum number of indexes; all by default.' }),
  ),
});

const time = (description: string) => optional(Type.Integer({ minimum: 0, maximum: LATEST, description }));

export const ClusterSuggestionQuery = Type.Object({
  namespaces,
  since: time('Start of the period, in milliseconds since 1970; by default one day before its end.'),
  until: time('End of the period, in milliseconds since 1970; now by default.'),
});

export type ClusterSuggestionQuery = Type.Static<typeof ClusterSuggestionQuery>;

export const SlowNamespaces = Type.Object(
  {
    namespaces: Type.Array(Type.Object({ namespace: Type.String(), type: Choice(['collection']) })),
  },
  { description: 'Namespaces with slow operations.' },
);

const Metrics = Type.Object(
  {
    docsExamined: Type.Integer(),
    docsExaminedReturnedRatio: Type.Number({
      description: 'Number of examined documents per returned document.',
    }),
    docsReturned: Type.Integer(),
    fromUserConnection: Type.Boolean(),
    hasIndexCoverage: Type.Boolean({ description: 'Whether the operation used an index.' }),
    hasSort: Type.Boolean(),
    keysExamined: Type.Integer(),
    keysExaminedReturnedRatio: Type.Number({
      description: 'Number of examined index keys per returned document.',
    }),
    numYields: Type.Integer(),
    operationExecutionTime: Type.Integer({ description: 'Duration in milliseconds.' }),
  },
  { description: 'Metrics of a slow operation.' },
);

export const SlowQueries = Type.Object(
  {
    slowQueries: Type.Array(
      Type.Object({
        line: Type.String({ description: 'Log entry of the operation, as JSON text.' }),
        metrics: optional(Metrics),
        namespace: Type.String(),
        opType: optional(Type.String()),
        replicaState: optional(Type.String()),
      }),
    ),
  },
  { description: 'Log lines of slow operations, oldest first.' },
);

const Stats = Type.Object({
  ms: Type.Integer({ description: 'Duration in milliseconds.' }),
  nReturned: Type.Integer(),
  nScanned: Type.Integer({ description: 'Number of examined documents.' }),
  ts: Type.Integer({ description: 'Time of the operation in seconds since 1970.' }),
});

export const SuggestedIndexes = Type.Object(
  {
    shapes: Type.Array(
      Type.Object(
        {
          avgMs: Type.Integer({ description: 'Average duration in milliseconds.' }),
          count: Type.Integer({ description: 'Number of operations.' }),
          id: Id(),
          inefficiencyScore: Type.Integer({
            description: 'Number of examined documents per returned document.',
          }),
          namespace: Type.String(),
          operations: Type.Array(
            Type.Object({
              predicates: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
                description: 'Filter of the operation.',
              }),
              stats: Stats,
            }),
          ),
        },
        { description: 'A query shape: slow operations that filter and sort by the same fields.' },
      ),
    ),
    suggestedIndexes: Type.Array(
      Type.Object(
        {
          avgObjSize: Type.Number({ description: 'Average size of a document in bytes.' }),
          id: Id(),
          impact: Type.Array(Id(), {
            description: 'Ids of the query shapes that the index would make faster.',
          }),
          index: Type.Array(Type.Record(Type.String(), Type.Integer()), {
            description: 'Fields of the index in order, each with 1 (ascending) or -1 (descending).',
          }),
          namespace: Type.String(),
          weight: Type.Number({
            description: 'Percentage of the total time of slow operations that the index would save.',
          }),
        },
        { description: 'A suggested index.' },
      ),
    ),
  },
  { description: 'Suggested indexes, and the query shapes of the slow operations.' },
);

/** Wraps a document in a field of another document, as the vendor's clients expect it. */
const wrapped = <S extends TSchema>(content: S, description: string) =>
  Type.Object({ content }, { description });

export const ClusterSuggestions = wrapped(
  SuggestedIndexes,
  'Suggested indexes for a cluster, and the query shapes of its slow operations.',
);

const UnneededIndex = Type.Object({
  accessCount: Type.Integer({ description: 'Number of operations that used the index.' }),
  index: Type.Array(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])), {
    description:
      'Fields of the index in order, each with 1 (ascending), -1 (descending) or a type such as `text`.',
  }),
  name: Type.String(),
  namespace: Type.String(),
  since: DateTime({ description: 'Time from which operations that use the index are counted.' }),
});

export const UnneededIndexes = wrapped(
  Type.Object({
    hiddenIndexes: Type.Array(UnneededIndex),
    redundantIndexes: Type.Array(UnneededIndex, {
      description: 'Indexes whose fields are the first fields of another index.',
    }),
    unusedIndexes: Type.Array(UnneededIndex, {
      description: 'Indexes that no operation has used for seven days.',
    }),
  }),
  'Indexes that can be dropped.',
);

const Triggers = Type.Array(Type.Object({ description: Type.String(), triggerType: Type.String() }));

export const SchemaAdvice = wrapped(
  Type.Object({
    recommendations: Type.Array(
      Type.Object({
        affectedNamespaces: Type.Array(Type.Object({ namespace: Type.String(), triggers: Triggers })),
        description: Type.String(),
        recommendation: Type.String(),
      }),
    ),
  }),
  'Recommended changes to the schema of a cluster.',
);
