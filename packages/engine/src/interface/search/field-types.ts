/** The index types of a document field, completed with defaults. */
export type FieldMapping =
  | StringMapping
  | AutocompleteMapping
  | { readonly type: 'token'; readonly normalizer: 'lowercase' | 'none' }
  | NumberMapping<'number'>
  | NumberMapping<'numberFacet'>
  | DocumentMapping
  | EmbeddedDocumentsMapping
  | { readonly type: 'geo'; readonly indexShapes: boolean }
  | PlainMapping
  | KnnVectorMapping
  | VectorMapping;

export interface StringMapping {
  readonly type: 'string';
  /** The analyzer of the strings. The default is the analyzer of the index. */
  readonly analyzer?: string;
  /** For searches. The default is `analyzer` or, if that is absent too, the search analyzer of the index. */
  readonly searchAnalyzer?: string;
  readonly indexOptions: 'docs' | 'freqs' | 'offsets' | 'positions';
  readonly store: boolean;
  /** Maximum length of a string. Longer strings are not indexed. */
  readonly ignoreAbove?: number;
  readonly norms: 'include' | 'omit';
  readonly similarity: TextSimilarity;
  /** Additional mappings, which index the same string with other analyzers. Queries refer to a mapping by its name. */
  readonly multi: ReadonlyMap<string, StringMapping>;
}

export type TextSimilarity = 'bm25' | 'boolean' | 'stableTfl';

export interface AutocompleteMapping {
  readonly type: 'autocomplete';
  readonly analyzer?: string;
  readonly minGrams: number;
  readonly maxGrams: number;
  readonly tokenization: 'edgeGram' | 'nGram' | 'rightEdgeGram';
  readonly foldDiacritics: boolean;
  readonly similarity: TextSimilarity;
}

type PlainType = 'boolean' | 'date' | 'dateFacet' | 'objectId' | 'stringFacet' | 'uuid';

/** Types that have no options. */
type PlainMapping = { readonly [T in PlainType]: { readonly type: T } }[PlainType];

export interface NumberMapping<T extends string = string> {
  readonly type: T;
  readonly representation: 'double' | 'int64';
  readonly indexIntegers: boolean;
  readonly indexDoubles: boolean;
}

export interface Mappings {
  /** True if fields that are not in `fields` are indexed by the types of their values. */
  readonly dynamic: boolean;
  /** The name of the type set that dynamic fields have in place of the default types. */
  readonly typeSet?: string;
  readonly fields: ReadonlyMap<string, readonly FieldMapping[]>;
}

interface DocumentMapping extends Mappings {
  readonly type: 'document';
}

interface EmbeddedDocumentsMapping extends Mappings {
  readonly type: 'embeddedDocuments';
  readonly storedSource: StoredSource;
}

export interface KnnVectorMapping {
  readonly type: 'knnVector';
  readonly dimensions: number;
  readonly similarity: VectorSimilarity;
}

interface VectorMapping {
  readonly type: 'vector';
  readonly numDimensions: number;
  readonly similarity: VectorSimilarity;
}

export const vectorSimilarities = ['euclidean', 'cosine', 'dotProduct'] as const;

export type VectorSimilarity = (typeof vectorSimilarities)[number];

/** The fields that the index stores: all fields, no fields, only the listed fields, or all except the listed fields. */
export type StoredSource =
  | boolean
  | { readonly include: readonly string[] }
  | { readonly exclude: readonly string[] };
