import type { Value } from '../../bson/value.ts';
import type { AutocompleteMapping, TextSimilarity, VectorSimilarity } from '../../interface/search/index.ts';

/** Index types of values, and the names of fields in segments. */

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
  /** Any comparable value, in a vector index. */
  | 'filter';

/** One entry of `fields` of a mapping, with its defaults. */
export interface FieldMapping {
  readonly type: FieldType;
  readonly analyzer?: string | undefined;
  readonly searchAnalyzer?: string | undefined;
  /** Further analyzers of a string, by name. */
  readonly multi?: ReadonlyMap<string, FieldMapping>;
  /** Longer strings and tokens are not indexed. */
  readonly ignoreAbove?: number | undefined;
  /** If false, scores ignore field lengths. */
  readonly norms?: boolean | undefined;
  /** Whether term frequencies and positions are stored. */
  readonly freqs?: boolean;
  readonly positions?: boolean;
  readonly similarity?: TextSimilarity;
  readonly normalizer?: 'lowercase' | 'none';
  readonly grams?: Grams;
  readonly numbers?: NumbersMapping;
  readonly indexShapes?: boolean;
  readonly vector?: VectorMapping;
  /** The mapping of the fields of embedded documents. */
  readonly inside?: Mapping;
  /** For embedded documents: their stored fields. */
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
  /** Types of unnamed fields; undefined: not indexed. */
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

/** The term of an ObjectId or a UUID: the bytes of the value after the first `from`, in hexadecimal. */
export function hexTerm({ bytes, start, end }: Value, from: number): string {
  const length = end - start - from;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start + from, length).toString('hex');
}
