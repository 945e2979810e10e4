import type { RawDocument } from '../../bson/raw.ts';
import type * as search from '../../interface/search/index.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';
import { type Analyzers, analyzersOf } from '../analyzers.ts';
import type { FieldMapping, FieldType, Mapping, StoredSource, VectorMapping } from './field.ts';
import { parsedDefinition } from './parsed-definition.ts';

/** An index definition, compiled for indexing. */
export interface IndexPlan {
  readonly type: SearchIndexType;
  readonly mapping: Mapping;
  readonly analyzers: Analyzers;
  readonly synonyms: readonly SynonymMapping[];
  /** The fields that the index stores. */
  readonly storedSource: StoredSource | undefined;
}

interface SynonymMapping {
  readonly name: string;
  readonly analyzer: string;
  readonly collection: string;
}

const STANDARD = 'lib.standard';

/** Compiles a definition. `ofCluster` contains the analyzers that the cluster defines. */
export function planOf(type: SearchIndexType, document: RawDocument, ofCluster?: RawDocument): IndexPlan {
  const definition = parsedDefinition(type, document, ofCluster);
  const storedSource = storedSourceOf(definition.storedSource);
  if (definition.type === 'vectorSearch') {
    const { fields, nestedRoot } = definition;
    const mapping = vectorMapping(fields, nestedRoot);
    return { type, mapping, analyzers: analyzersOf(new Map()), synonyms: [], storedSource };
  }
  const { analyzer, searchAnalyzer = analyzer, analyzers, mappings, synonyms, typeSets } = definition;
  return {
    type,
    mapping: mappingOf(mappings, { analyzer, searchAnalyzer, typeSets }),
    analyzers: analyzersOf(analyzers),
    synonyms: synonyms.map(({ name, analyzer: own, source: { collection } }) => ({
      name,
      analyzer: own,
      collection,
    })),
    storedSource,
  };
}

/** The default analyzers of the index, and the types of its dynamic fields. */
interface Defaults {
  readonly analyzer: string;
  readonly searchAnalyzer: string;
  readonly typeSets: ReadonlyMap<string, readonly search.FieldMapping[]>;
}

function mappingOf({ dynamic, typeSet, fields }: search.Mappings, defaults: Defaults): Mapping {
  const types = typeSet === undefined ? dynamicTypes : (defaults.typeSets.get(typeSet) ?? []);
  return {
    dynamic: dynamic ? types.map((field) => fieldOf(field, defaults)) : undefined,
    fields: new Map(
      [...fields].map(
        ([name, all]) => [name, keptApart(all.map((field) => fieldOf(field, defaults)))] as const,
      ),
    ),
  };
}

const number = {
  type: 'number',
  representation: 'double',
  indexIntegers: true,
  indexDoubles: true,
} as const;

const string = {
  type: 'string',
  indexOptions: 'offsets',
  store: true,
  norms: 'include',
  similarity: 'bm25',
  multi: new Map(),
} as const;

/** The types of dynamic fields unless the definition names others. */
const dynamicTypes: readonly search.FieldMapping[] = [
  string,
  number,
  { type: 'date' },
  { type: 'boolean' },
  { type: 'objectId' },
  { type: 'uuid' },
];

function fieldOf(field: search.FieldMapping, defaults: Defaults): FieldMapping {
  switch (field.type) {
    case 'string':
      return stringOf(field, defaults);
    case 'autocomplete': {
      const { analyzer = STANDARD, type, similarity, ...grams } = field;
      return { type, analyzer, grams, similarity };
    }
    case 'number':
    case 'numberFacet': {
      const { representation, indexIntegers, indexDoubles } = field;
      const numbers = { indexIntegers, indexDoubles, whole: representation === 'int64' };
      return { type: 'number', numbers, ...(field.type === 'number' ? {} : { facet: { apart: false } }) };
    }
    case 'document':
      return { type: 'document', inside: mappingOf(field, defaults) };
    case 'embeddedDocuments':
      return {
        type: 'embeddedDocuments',
        inside: mappingOf(field, defaults),
        storedSource: storedSourceOf(field.storedSource),
      };
    case 'knnVector':
      return vectorField(field);
    case 'vector':
      return vectorField({ ...field, dimensions: field.numDimensions });
    case 'dateFacet':
      return { type: 'date', facet: { apart: false } };
    case 'stringFacet':
      return { type: 'token', normalizer: 'none', facet: { apart: false } };
    default:
      return field;
  }
}

/**
 * If a field is indexed both as `token` and as `stringFacet`, marks `stringFacet` so that its terms are stored
 * separately. The normalizer of `token` may change the terms of `token`, but not those of `stringFacet`.
 */
function keptApart(all: readonly FieldMapping[]): readonly FieldMapping[] {
  const isToken = ({ type, facet }: FieldMapping) => type === 'token' && facet === undefined;
  if (!all.some(isToken)) return all;
  return all.map((one) => (one.type === 'token' && !isToken(one) ? { ...one, facet: { apart: true } } : one));
}

function stringOf(field: search.StringMapping, defaults: Defaults): FieldMapping {
  const { analyzer = defaults.analyzer, ignoreAbove, norms, indexOptions, store, similarity, multi } = field;
  return {
    type: 'string',
    analyzer,
    searchAnalyzer: field.searchAnalyzer ?? field.analyzer ?? defaults.searchAnalyzer,
    multi: new Map([...multi].map(([name, one]) => [name, stringOf(one, defaults)] as const)),
    ignoreAbove,
    norms: norms === 'include',
    freqs: indexOptions !== 'docs',
    positions: indexOptions !== 'docs' && indexOptions !== 'freqs',
    highlights: indexOptions === 'offsets' && store,
    similarity,
  };
}

function vectorField({ dimensions, similarity }: VectorMapping): FieldMapping {
  return { type: 'vector', vector: { dimensions, similarity } };
}

type VectorField = Extract<ReturnType<typeof parsedDefinition>, { type: 'vectorSearch' }>['fields'][number];

/** Converts the dotted paths of a vector index to nested mappings. */
function vectorMapping(fields: readonly VectorField[], nestedRoot: string | undefined): Mapping {
  const root: Mutable = { dynamic: undefined, fields: new Map() };
  for (const field of fields) {
    const names = field.path.split('.');
    let at = root;
    names.slice(0, -1).forEach((name, depth) => {
      at = insideOf(at, name, names.slice(0, depth + 1).join('.') === nestedRoot);
    });
    const last = names.at(-1) as string;
    const made: FieldMapping =
      field.type === 'vector'
        ? vectorField({ ...field, dimensions: field.numDimensions })
        : { type: 'filter' };
    at.fields.set(last, [...(at.fields.get(last) ?? []), made]);
  }
  return root;
}

interface Mutable extends Mapping {
  readonly fields: Map<string, readonly FieldMapping[]>;
}

function insideOf(mapping: Mutable, name: string, nested: boolean): Mutable {
  const type: FieldType = nested ? 'embeddedDocuments' : 'document';
  const before = mapping.fields.get(name) ?? [];
  const found = before.find((one) => one.type === type)?.inside as Mutable | undefined;
  if (found !== undefined) return found;
  const inside: Mutable = { dynamic: undefined, fields: new Map() };
  mapping.fields.set(name, [...before, { type, inside }]);
  return inside;
}

function storedSourceOf(given: search.StoredSource): StoredSource | undefined {
  return given === false ? undefined : given;
}
