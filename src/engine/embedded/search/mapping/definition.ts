import type { RawDocument } from '../../bson/raw.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';
import { type Analyzer, type Analyzers, analyzersOf } from '../analyzers.ts';
import type { FieldMapping, FieldType, Grams, Mapping, VectorMapping } from './field.ts';

/** A definition, ready to index documents by. */
export interface IndexPlan {
  readonly type: SearchIndexType;
  readonly mapping: Mapping;
  readonly analyzers: Analyzers;
  readonly synonyms: readonly SynonymMapping[];
  /** Whether documents may be given back as they were indexed, and which fields of them. */
  readonly storedSource: StoredSource | undefined;
}

interface SynonymMapping {
  readonly name: string;
  readonly analyzer: string;
  readonly collection: string;
}

export type StoredSource =
  | true
  | { readonly include: readonly string[] }
  | { readonly exclude: readonly string[] };

const STANDARD = 'lucene.standard';

type Json = Readonly<Record<string, unknown>>;

/** Of a definition that was checked when it was given. */
export function planOf(type: SearchIndexType, document: RawDocument, ofCluster?: RawDocument): IndexPlan {
  const definition = plain(document);
  const analyzers = analyzersOf([
    ...list(ofCluster === undefined ? [] : plain(ofCluster).analyzers),
    ...list(definition.analyzers),
  ]);
  const context: Context = {
    analyzer: text(definition.analyzer) ?? STANDARD,
    searchAnalyzer: text(definition.searchAnalyzer),
    typeSets: new Map(list(definition.typeSets).map((set) => [String(set.name), list(set.types)])),
  };
  const mapping =
    type === 'vectorSearch'
      ? vectorMapping(list(definition.fields), text(definition.nestedRoot))
      : mappingOf(object(definition.mappings), context);
  return {
    type,
    mapping,
    analyzers,
    synonyms: list(definition.synonyms).map((one) => ({
      name: String(one.name),
      analyzer: text(one.analyzer) ?? STANDARD,
      collection: String(object(one.source).collection),
    })),
    storedSource: storedSourceOf(definition.storedSource),
  };
}

interface Context {
  readonly analyzer: string;
  readonly searchAnalyzer: string | undefined;
  readonly typeSets: ReadonlyMap<string, readonly Json[]>;
}

function mappingOf(json: Json, context: Context, around?: Mapping): Mapping {
  const fields = new Map<string, readonly FieldMapping[]>();
  const mapping = { dynamic: dynamicOf(json.dynamic, context, around), fields };
  for (const [name, given] of Object.entries(object(json.fields))) {
    const all = Array.isArray(given) ? given : [given];
    fields.set(
      name,
      all.map((one) => fieldOf(object(one), context, mapping)),
    );
  }
  return mapping;
}

/** What is indexed where nobody says otherwise. */
const dynamicTypes = ['string', 'number', 'date', 'boolean', 'objectId', 'uuid'];

function dynamicOf(given: unknown, context: Context, around?: Mapping): Mapping['dynamic'] {
  if (given === true) return dynamicTypes.map((type) => fieldOf({ type }, context, around));
  if (typeof given !== 'object' || given === null) return undefined;
  const types = context.typeSets.get(String(object(given).typeSet)) ?? [];
  return types.map((one) => fieldOf(one, context, around));
}

function fieldOf(json: Json, context: Context, around?: Mapping): FieldMapping {
  const type = typeOf(String(json.type));
  switch (type) {
    case 'string':
      return stringField(json, context);
    case 'autocomplete':
      return {
        type,
        analyzer: text(json.analyzer) ?? STANDARD,
        grams: gramsOf(json),
      };
    case 'token':
      return { type, normalizer: json.normalizer === 'lowercase' ? 'lowercase' : 'none' };
    case 'geo':
      return { type, indexShapes: json.indexShapes === true };
    case 'document':
      return { type, inside: mappingOf(json, context, around) };
    case 'embeddedDocuments':
      return { type, inside: mappingOf(json, context, around), storedSource: json.storedSource };
    case 'vector':
      return { type, vector: vectorOf(json) };
    default:
      return { type };
  }
}

const facetTypes: Readonly<Record<string, FieldType>> = {
  numberFacet: 'number',
  dateFacet: 'date',
  stringFacet: 'token',
  knnVector: 'vector',
};

function typeOf(name: string): FieldType {
  return facetTypes[name] ?? (name as FieldType);
}

function stringField(json: Json, context: Context): FieldMapping {
  const analyzer = text(json.analyzer);
  const multi = Object.entries(object(json.multi)).map(
    ([name, one]) => [name, stringField(object(one), context)] as const,
  );
  return {
    type: 'string',
    analyzer: analyzer ?? context.analyzer,
    searchAnalyzer: text(json.searchAnalyzer) ?? analyzer ?? context.searchAnalyzer ?? context.analyzer,
    multi: new Map(multi),
    ignoreAbove: number(json.ignoreAbove),
    norms: json.norms !== 'omit',
  };
}

function gramsOf(json: Json): Grams {
  const tokenization = text(json.tokenization);
  return {
    tokenization: tokenization === 'nGram' || tokenization === 'rightEdgeGram' ? tokenization : 'edgeGram',
    min: number(json.minGrams) ?? 2,
    max: number(json.maxGrams) ?? 15,
    foldDiacritics: json.foldDiacritics !== false,
  };
}

function vectorOf(json: Json): VectorMapping {
  const similarity = text(json.similarity);
  return {
    dimensions: number(json.numDimensions ?? json.dimensions) ?? 0,
    similarity: similarity === 'euclidean' || similarity === 'dotProduct' ? similarity : 'cosine',
  };
}

/** Paths of an index of vectors, put into each other as documents are. */
function vectorMapping(fields: readonly Json[], nestedRoot: string | undefined): Mapping {
  const root: Mutable = { dynamic: undefined, fields: new Map() };
  for (const field of fields) {
    const path = String(field.path);
    const made = fieldOf(field.type === 'vector' ? field : { type: 'filter' }, withoutContext);
    const names = path.split('.');
    let at = root;
    names.slice(0, -1).forEach((name, depth) => {
      at = insideOf(at, name, names.slice(0, depth + 1).join('.') === nestedRoot);
    });
    const last = names.at(-1) as string;
    at.fields.set(last, [...(at.fields.get(last) ?? []), made]);
  }
  return root;
}

const withoutContext: Context = { analyzer: STANDARD, searchAnalyzer: undefined, typeSets: new Map() };

interface Mutable extends Mapping {
  readonly fields: Map<string, readonly FieldMapping[]>;
}

function insideOf(mapping: Mutable, name: string, nested: boolean): Mutable {
  const type = nested ? 'embeddedDocuments' : 'document';
  const before = mapping.fields.get(name) ?? [];
  const found = before.find((one) => one.type === type)?.inside as Mutable | undefined;
  if (found !== undefined) return found;
  const inside: Mutable = { dynamic: undefined, fields: new Map() };
  mapping.fields.set(name, [...before, { type, inside }]);
  return inside;
}

function storedSourceOf(given: unknown): StoredSource | undefined {
  if (given === true) return true;
  if (typeof given !== 'object' || given === null) return undefined;
  const { include, exclude } = object(given);
  if (Array.isArray(include)) return { include: include.map(String) };
  return Array.isArray(exclude) ? { exclude: exclude.map(String) } : undefined;
}

/** What the path of a query leads to. */
export interface FoundField {
  readonly mappings: readonly FieldMapping[];
  /** The innermost embedded documents around it. */
  readonly embedded: string | undefined;
}

export function findField({ mapping }: IndexPlan, path: string): FoundField {
  return find(mapping, path.split('.'), 0, undefined);
}

function find(
  mapping: Mapping,
  names: readonly string[],
  at: number,
  embedded: string | undefined,
): FoundField {
  const own = mapping.fields.get(names[at] ?? '');
  if (own === undefined) return { mappings: mapping.dynamic ?? [], embedded };
  if (at === names.length - 1) return { mappings: own, embedded };
  for (const { type, inside } of own) {
    if (inside === undefined) continue;
    const path = type === 'embeddedDocuments' ? names.slice(0, at + 1).join('.') : embedded;
    const found = find(inside, names, at + 1, path);
    if (found.mappings.length > 0) return found;
  }
  return { mappings: [], embedded };
}

/** The analyzer by which a text of a field was, or is to be, taken apart. */
export function analyzerOf({ analyzers }: IndexPlan, name: string | undefined): Analyzer {
  return analyzers(name ?? STANDARD);
}

/** With plain numbers, whatever their type. */
function plain(document: RawDocument): Json {
  return JSON.parse(
    JSON.stringify(document.toObject(), (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
