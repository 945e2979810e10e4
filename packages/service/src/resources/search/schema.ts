import { MAX_INDEX_NAME, searchIndexTypes } from '@portolan/engine/management';
import type { PlainObject } from '@portolan/foundation/plain-object';
import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;

/** A free-form object, validated as a whole by the rules that apply to drivers, too (`engine/search`). */
const FreeForm = (description: string) =>
  Type.Unsafe<PlainObject>(Type.Object({}, { additionalProperties: true, maxProperties: 1000, description }));

const DefinitionOf = FreeForm(
  'Text index: mappings and, optionally, analyzer, searchAnalyzer, analyzers, numPartitions, storedSource and ' +
    'synonyms. Vector index: fields and, optionally, numPartitions, storedSource and nestedRoot.',
);

const statuses = ['DELETING', 'FAILED', 'STALE', 'PENDING', 'BUILDING', 'READY', 'DOES_NOT_EXIST'] as const;

const DefinitionVersion = Type.Object({
  createdAt: optional(DateTime()),
  version: optional(Type.Integer({ description: 'Version of the definition, from 0.' })),
});

const SynonymStatus = Type.Object({
  message: optional(Type.String()),
  queryable: optional(Type.Boolean()),
  status: optional(Type.String()),
});

const synonyms = {
  synonymMappingStatus: optional(Choice(['BUILDING', 'READY', 'FAILED'])),
  synonymMappingStatusDetail: optional(
    Type.Array(Type.Record(Type.String(), SynonymStatus), { description: 'Status by name of the mapping.' }),
  ),
};

const VersionOnHost = Type.Object({
  definition: optional(DefinitionOf),
  definitionVersion: optional(DefinitionVersion),
  message: optional(Type.String({ description: 'Reason for a failed or stale index.' })),
  queryable: optional(Type.Boolean()),
  status: optional(Choice(statuses)),
  ...synonyms,
});

const OnHost = Type.Object({
  hostname: optional(Type.String()),
  mainIndex: optional(VersionOnHost),
  queryable: optional(Type.Boolean()),
  stagedIndex: optional(VersionOnHost),
  status: optional(Choice(statuses)),
});

const named = {
  collectionName: Type.String({ minLength: 1, description: 'Name of the collection.' }),
  database: Type.String({ minLength: 1, description: 'Name of the database.' }),
  name: Type.String({
    minLength: 1,
    maxLength: MAX_INDEX_NAME,
    description: 'Name of the index, unique within the collection.',
  }),
  type: optional(Choice(searchIndexTypes, { default: 'search' })),
};

export const SearchIndexRequest = Type.Object(
  { ...named, definition: DefinitionOf, links: Links },
  { description: 'A search index to be created.' },
);

export const SearchIndexChange = Type.Object({ definition: DefinitionOf, links: Links });

export const SearchIndex = entity(
  Type.Object(
    {
      collectionName: Type.String(),
      database: Type.String(),
      indexID: Id(),
      latestDefinition: DefinitionOf,
      latestDefinitionVersion: DefinitionVersion,
      links: Links,
      name: Type.String(),
      queryable: Type.Boolean({ description: 'Whether all hosts can use the index for queries.' }),
      status: Choice(statuses),
      statusDetail: optional(Type.Array(OnHost)),
      type: Choice(searchIndexTypes),
      ...synonyms,
    },
    { description: 'A search index and its status on each host.' },
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

/** The legacy shape: the fields of the definition are at top level. */
export const FormerSearchIndex = entity(
  Type.Object(
    {
      ...named,
      analyzer: optional(Type.String({ description: 'Analyzer; lib.standard by default.' })),
      analyzers: optional(Type.Array(FreeForm('A custom analyzer.'), { maxItems: 500 })),
      fields: optional(Type.Array(FreeForm('A vector field or filter field.'), { maxItems: 500 })),
      indexID: readOnly(Id()),
      links: Links,
      mappings: optional(FreeForm('The indexed fields and how they are indexed.')),
      numPartitions: optional(Type.Integer({ description: 'Number of partitions: 1, 2 or 4.' })),
      searchAnalyzer: optional(
        Type.String({ description: 'Analyzer for queries; by default that of the index.' }),
      ),
      status: readOnly(Choice(['IN_PROGRESS', 'STEADY', 'FAILED', 'MIGRATING', 'STALE', 'PAUSED'])),
      storedSource: optional(
        Type.Unknown({ description: 'true, false, or an object with include or exclude.' }),
      ),
      synonyms: optional(Type.Array(FreeForm('A mapping of synonyms.'), { maxItems: 500 })),
    },
    { description: 'A search index in the legacy shape.' },
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
        description: 'Unique name; must not begin with lib., builtin. or db.',
      }),
      tokenFilters: optional(Type.Array(FreeForm('A token filter and its parameters.'), { maxItems: 500 })),
      tokenizer: FreeForm('The tokenizer and its parameters.'),
    },
    { description: 'A custom analyzer available to all text indexes of a cluster.' },
  ),
  { name: 'customAnalyzer', self: 'listPlatformSearchAnalyzers', params: () => ({}) },
);

export const CustomAnalyzers = Type.Array(CustomAnalyzer, { maxItems: 500 });

const Offset = () => Type.Integer({ description: 'Offset in UTF-16 code units.' });

export const Analysis = Type.Object({
  analyzer: Type.String({
    description:
      'Name of a built-in analyzer, such as lib.english, or of an analyzer defined in `analyzers`.',
  }),
  analyzers: optional(Type.Array(FreeForm('A custom analyzer.'), { maxItems: 500 })),
  text: Type.String({ maxLength: 100_000 }),
});

export const Tokens = Type.Object({
  tokens: Type.Array(
    Type.Object({
      end: Offset(),
      position: Type.Integer({
        description: 'Position from 0; tokens at the same position are alternatives.',
      }),
      start: Offset(),
      term: Type.String(),
    }),
  ),
});
