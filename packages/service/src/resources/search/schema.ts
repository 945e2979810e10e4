import { LONGEST_INDEX_NAME, searchIndexTypes } from '@portolan/engine/management';
import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;

/** What is checked as a whole, by the rules that drivers meet too (`engine/search`). */
const Free = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(
    Type.Object({}, { additionalProperties: true, maxProperties: 1000, description }),
  );

const DefinitionOf = Free(
  'Of a text index: mappings, and analyzer, searchAnalyzer, analyzers, numPartitions, storedSource and synonyms where ' +
    'they are not the defaults. Of a vector index: fields, and numPartitions, storedSource and nestedRoot.',
);

const statuses = ['DELETING', 'FAILED', 'STALE', 'PENDING', 'BUILDING', 'READY', 'DOES_NOT_EXIST'] as const;

const DefinitionVersion = Type.Object({
  createdAt: optional(DateTime()),
  version: optional(Type.Integer({ description: 'Of the definition, from 0.' })),
});

const SynonymStatus = Type.Object({
  message: optional(Type.String()),
  queryable: optional(Type.Boolean()),
  status: optional(Type.String()),
});

const synonyms = {
  synonymMappingStatus: optional(Choice(['BUILDING', 'READY', 'FAILED'])),
  synonymMappingStatusDetail: optional(
    Type.Array(Type.Record(Type.String(), SynonymStatus), { description: 'By the names of the mappings.' }),
  ),
};

const VersionOnHost = Type.Object({
  definition: optional(DefinitionOf),
  definitionVersion: optional(DefinitionVersion),
  message: optional(Type.String({ description: 'Why it has failed, or does not follow.' })),
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
  collectionName: Type.String({ minLength: 1, description: 'The collection that it is about.' }),
  database: Type.String({ minLength: 1, description: 'The database that the collection is in.' }),
  name: Type.String({
    minLength: 1,
    maxLength: LONGEST_INDEX_NAME,
    description: 'Each name once in a collection.',
  }),
  type: optional(Choice(searchIndexTypes, { default: 'search' })),
};

export const SearchIndexRequest = Type.Object(
  { ...named, definition: DefinitionOf, links: Links },
  { description: 'A search index to be made.' },
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
      queryable: Type.Boolean({ description: 'Whether queries can use it on every host.' }),
      status: Choice(statuses),
      statusDetail: optional(Type.Array(OnHost)),
      type: Choice(searchIndexTypes),
      ...synonyms,
    },
    { description: 'A search index, and how far it is on every host.' },
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

/** The legacy shape: the definition's fields stand beside the others. */
export const FormerSearchIndex = entity(
  Type.Object(
    {
      ...named,
      analyzer: optional(Type.String({ description: 'lib.standard where it is absent.' })),
      analyzers: optional(Type.Array(Free('A custom analyzer.'), { maxItems: 500 })),
      fields: optional(Type.Array(Free('A vector, or a field to filter by.'), { maxItems: 500 })),
      indexID: readOnly(Id()),
      links: Links,
      mappings: optional(Free('Which fields are indexed, and how.')),
      numPartitions: optional(Type.Integer({ description: '1, 2 or 4.' })),
      searchAnalyzer: optional(Type.String({ description: 'That of queries; analyzer where it is absent.' })),
      status: readOnly(Choice(['IN_PROGRESS', 'STEADY', 'FAILED', 'MIGRATING', 'STALE', 'PAUSED'])),
      storedSource: optional(
        Type.Unknown({ description: 'true, false, or an object with include or exclude.' }),
      ),
      synonyms: optional(Type.Array(Free('A mapping of synonyms.'), { maxItems: 500 })),
    },
    { description: 'A search index in its former shape.' },
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
      charFilters: optional(Type.Array(Free('A char filter and its parameters.'), { maxItems: 500 })),
      links: Links,
      name: Type.String({
        minLength: 1,
        description: 'Each name once; none begins with lib., builtin. or db.',
      }),
      tokenFilters: optional(Type.Array(Free('A token filter and its parameters.'), { maxItems: 500 })),
      tokenizer: Free('The tokenizer and its parameters.'),
    },
    { description: 'A custom analyzer that all text indexes of a cluster may name.' },
  ),
  { name: 'customAnalyzer', self: 'listPlatformSearchAnalyzers', params: () => ({}) },
);

export const CustomAnalyzers = Type.Array(CustomAnalyzer, { maxItems: 500 });

const Offset = () => Type.Integer({ description: 'In UTF-16 units of the text.' });

export const Analysis = Type.Object({
  analyzer: Type.String({ description: 'lib.english, or the name of one of analyzers.' }),
  analyzers: optional(Type.Array(Free('A custom analyzer.'), { maxItems: 500 })),
  text: Type.String({ maxLength: 100_000 }),
});

export const Tokens = Type.Object({
  tokens: Type.Array(
    Type.Object({
      end: Offset(),
      position: Type.Integer({ description: 'From 0; tokens of one position stand for each other.' }),
      start: Offset(),
      term: Type.String(),
    }),
  ),
});
