import { MAX_INDEX_NAME, searchIndexTypes } from '@portolan/engine/management';
import type { PlainObject } from '@portolan/foundation/plain-object';
import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;

/**
 * Returns the schema of a free-form object. Rules of the engine check the whole object, and also check indexes that
 * drivers create (`engine/search`).
 */
const FreeForm = (description: string) =>
  Type.Unsafe<PlainObject>(Type.Object({}, { additionalProperties: true, maxProperties: 1000, description }));

const DefinitionOf = FreeForm(
  'Definition of the index. A text index requires `mappings`; `analyzer`, `searchAnalyzer`, `analyzers`, `numPartitions`, `storedSource` and `synonyms` are optional. A vector index requires `fields`; `numPartitions`, `storedSource` and `nestedRoot` are optional.',
);

const statuses = ['DELETING', 'FAILED', 'STALE', 'PENDING', 'BUILDING', 'READY', 'DOES_NOT_EXIST'] as const;

const STATUS =
  '`READY`: the index serves queries. `STALE`: it serves queries, but lacks the latest changes of the collection. `PENDING`: the build has not started. `DOES_NOT_EXIST`: the collection does not exist.';

const DefinitionVersion = Type.Object({
  createdAt: optional(DateTime({ description: 'Time at which the definition was set.' })),
  version: optional(
    Type.Integer({ description: 'Number of the version of the definition; the first is 0.' }),
  ),
});

const SynonymStatus = Type.Object({
  message: optional(Type.String({ description: 'Why the mapping failed.' })),
  queryable: optional(Type.Boolean({ description: 'Whether queries can use the mapping.' })),
  status: optional(Type.String({ description: '`BUILDING`, `READY` or `FAILED`.' })),
});

const synonyms = {
  synonymMappingStatus: optional(Choice(['BUILDING', 'READY', 'FAILED'])),
  synonymMappingStatusDetail: optional(
    Type.Array(Type.Record(Type.String(), SynonymStatus), {
      description: 'Status of each synonym mapping, by its name.',
    }),
  ),
};

const VersionOnHost = Type.Object({
  definition: optional(DefinitionOf),
  definitionVersion: optional(DefinitionVersion),
  message: optional(Type.String({ description: 'Why the index is FAILED or STALE.' })),
  queryable: optional(Type.Boolean()),
  status: optional(Choice(statuses, { description: STATUS })),
  ...synonyms,
});

const OnHost = Type.Object({
  hostname: optional(Type.String()),
  mainIndex: optional(
    Type.Object(VersionOnHost.properties, {
      description: 'Current version of the index, which serves queries if it is built.',
    }),
  ),
  queryable: optional(Type.Boolean()),
  stagedIndex: optional(
    Type.Object(VersionOnHost.properties, {
      description: 'New version of the index, which replaces `mainIndex` when it is built.',
    }),
  ),
  status: optional(Choice(statuses, { description: STATUS })),
});

const named = {
  collectionName: Type.String({ minLength: 1, description: 'Name of the collection.' }),
  database: Type.String({ minLength: 1, description: 'Name of the database.' }),
  name: Type.String({
    minLength: 1,
    maxLength: MAX_INDEX_NAME,
    description: 'Name of the index, unique within the collection.',
  }),
  type: optional(
    Choice(searchIndexTypes, {
      default: 'search',
      description: '`search` for a text index, `vectorSearch` for a vector index.',
    }),
  ),
};

export const SearchIndexRequest = Type.Object(
  { ...named, definition: DefinitionOf, links: Links },
  { description: 'A new search index.' },
);

export const SearchIndexChange = Type.Object({ definition: DefinitionOf, links: Links });

export const SearchIndex = entity(
  Type.Object(
    {
      collectionName: Type.String(),
      database: Type.String({ description: 'Name of the database.' }),
      indexID: Id(),
      latestDefinition: DefinitionOf,
      latestDefinitionVersion: DefinitionVersion,
      links: Links,
      name: Type.String({ description: 'Name of the index.' }),
      queryable: Type.Boolean({ description: 'Whether the index serves queries on all hosts.' }),
      status: Choice(statuses, {
        description:
          'Status of the index. If it differs between hosts, this is the worst one, such as `FAILED`.',
      }),
      statusDetail: optional(Type.Array(OnHost, { description: 'Status of the index on each host.' })),
      type: Choice(searchIndexTypes, {
        description: '`search` for a text index, `vectorSearch` for a vector index.',
      }),
      ...synonyms,
    },
    { description: 'A search index, and its status on each host.' },
  ),
  {
    name: 'searchIndex',
    self: 'getPlatformSearchIndex',
    params: ({ collectionName, database, indexID, name, statusDetail }) => {
      const processId = statusDetail?.[0]?.hostname;
      return {
        collectionName,
        databaseName: database,
        indexId: indexID,
        indexName: name,
        ...(processId === undefined ? {} : { processId }),
      };
    },
  },
);

/** A search index in the legacy shape, which has the fields of the definition at top level. */
export const FormerSearchIndex = entity(
  Type.Object(
    {
      ...named,
      analyzer: optional(
        Type.String({ description: 'Analyzer of the indexed texts; lib.standard by default.' }),
      ),
      analyzers: optional(
        Type.Array(FreeForm('A custom analyzer: `name`, `charFilters`, `tokenizer` and `tokenFilters`.'), {
          maxItems: 500,
        }),
      ),
      fields: optional(
        Type.Array(FreeForm('A vector field, or a field by which vector searches can filter.'), {
          maxItems: 500,
        }),
      ),
      indexID: readOnly(Id()),
      links: Links,
      mappings: optional(FreeForm('Which fields are indexed, and how.')),
      numPartitions: optional(Type.Integer({ description: 'Number of partitions: 1, 2 or 4.' })),
      searchAnalyzer: optional(
        Type.String({ description: 'Analyzer of query texts; by default the value of `analyzer`.' }),
      ),
      status: readOnly(
        Choice(['IN_PROGRESS', 'STEADY', 'FAILED', 'MIGRATING', 'STALE', 'PAUSED'], {
          description:
            '`IN_PROGRESS`: the index is being built or deleted. `STEADY`: it serves queries. `STALE`: it serves queries, but lacks the latest changes of the collection. `PAUSED`: the cluster is paused. `MIGRATING` does not occur.',
        }),
      ),
      storedSource: optional(
        Type.Unknown({
          description:
            'Which fields the index stores: true for all, false for none, or an object with a list `include` or `exclude`.',
        }),
      ),
      synonyms: optional(
        Type.Array(FreeForm('A synonym mapping: name, analyzer, and the collection with the synonyms.'), {
          maxItems: 500,
        }),
      ),
    },
    {
      description:
        'A search index in the legacy shape, which has the fields of the definition at its top level.',
    },
  ),
  {
    name: 'formerSearchIndex',
    self: 'getPlatformSearchIndexDeprecated',
    params: ({ indexID = '' }) => ({ indexId: indexID }),
  },
);
export type FormerSearchIndex = Type.Static<typeof FormerSearchIndex>;

export const CustomAnalyzer = entity(
  Type.Object(
    {
      charFilters: optional(
        Type.Array(FreeForm('A character filter and its parameters.'), { maxItems: 500 }),
      ),
      links: Links,
      name: Type.String({
        minLength: 1,
        description: 'Unique name of the analyzer. It must not begin with `lib.`, `builtin.` or `db.`.',
      }),
      tokenFilters: optional(Type.Array(FreeForm('A token filter and its parameters.'), { maxItems: 500 })),
      tokenizer: FreeForm('The tokenizer and its parameters.'),
    },
    { description: 'A custom analyzer, which all text indexes of the cluster can use.' },
  ),
  { name: 'customAnalyzer', self: 'listPlatformSearchAnalyzers', params: () => ({}) },
);

export const CustomAnalyzers = Type.Array(CustomAnalyzer, { maxItems: 500 });

const Offset = (of: string) =>
  Type.Integer({ description: `Offset of the ${of} of the token in the text, in UTF-16 code units.` });

export const Analysis = Type.Object({
  analyzer: Type.String({
    description:
      'Name of a built-in analyzer, such as `lib.english`, or of an analyzer in the field `analyzers`.',
  }),
  analyzers: optional(
    Type.Array(FreeForm('A custom analyzer: `name`, `charFilters`, `tokenizer` and `tokenFilters`.'), {
      maxItems: 500,
    }),
  ),
  text: Type.String({ maxLength: 100_000, description: 'Text to analyze.' }),
});

export const Tokens = Type.Object({
  tokens: Type.Array(
    Type.Object({
      end: Offset('end'),
      position: Type.Integer({
        description:
          'Position of the token in the text; the first is 0. Tokens at the same position are alternatives.',
      }),
      start: Offset('start'),
      term: Type.String({ description: 'The token as the index stores it.' }),
    }),
  ),
});
