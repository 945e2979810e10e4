import type { AutocompleteMapping, TextSimilarity, VectorSimilarity } from '../../interface/search/index.ts';

/** What a value of a document can be indexed as, and under which name a segment keeps it. */

export type FieldType =
  | 'string'
  | 'autocomplete'
  | 'token'
  | 'number'
  | 'date'
  | 'boolean'
  | 'objectId'
  | 'uuid'
  | 'geo'
  | 'vector'
  | 'document'
  | 'embeddedDocuments'
  /** Of an index of vectors: whatever can be compared. */
  | 'filter';

/** One entry of `fields` of a mapping, with its defaults. */
export interface FieldMapping {
  readonly type: FieldType;
  readonly analyzer?: string | undefined;
  readonly searchAnalyzer?: string | undefined;
  /** Further ways to analyse a text, by name. */
  readonly multi?: ReadonlyMap<string, FieldMapping>;
  /** Longer texts are not indexed; of strings and tokens. */
  readonly ignoreAbove?: number | undefined;
  /** Scores do not depend on lengths when it is false. */
  readonly norms?: boolean | undefined;
  /** How often a document has a term, and where, is known. */
  readonly freqs?: boolean;
  readonly positions?: boolean;
  readonly similarity?: TextSimilarity;
  readonly normalizer?: 'lowercase' | 'none';
  readonly grams?: Grams;
  readonly numbers?: NumbersMapping;
  readonly indexShapes?: boolean;
  readonly vector?: VectorMapping;
  /** Of documents within documents. */
  readonly inside?: Mapping;
  /** Of embedded documents: what of them is given back alone. */
  readonly storedSource?: StoredSource | undefined;
}

export type Grams = Omit<AutocompleteMapping, 'analyzer' | 'type'>;

interface NumbersMapping {
  readonly indexIntegers: boolean;
  readonly indexDoubles: boolean;
  /** Doubles are rounded. */
  readonly whole: boolean;
}

export interface VectorMapping {
  readonly dimensions: number;
  readonly similarity: VectorSimilarity;
}

export type StoredSource =
  | true
  | { readonly include: readonly string[] }
  | { readonly exclude: readonly string[] };

/** How the fields of a document are indexed. */
export interface Mapping {
  /** What fields that are not named are indexed as; none: they are not. */
  readonly dynamic: readonly FieldMapping[] | undefined;
  readonly fields: ReadonlyMap<string, readonly FieldMapping[]>;
}

/** Names of fields in segments. */
export const keys = {
  text: (path: string, multi?: string) => (multi === undefined ? `t:${path}` : `t:${path}\0${multi}`),
  autocomplete: (path: string) => `a:${path}`,
  token: (path: string) => `k:${path}`,
  number: (path: string) => `n:${path}`,
  date: (path: string) => `d:${path}`,
  boolean: (path: string) => `b:${path}`,
  objectId: (path: string) => `o:${path}`,
  uuid: (path: string) => `u:${path}`,
  nothing: (path: string) => `z:${path}`,
  geo: (path: string) => `g:${path}`,
  vector: (path: string) => `v:${path}`,
  /** Its terms are the paths that a document has. */
  exists: 'e',
  /** Its terms are the paths of embedded documents; the documents are their children. */
  embedded: 'c',
};
