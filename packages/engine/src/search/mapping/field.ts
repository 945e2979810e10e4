import type { Value } from '../../bson/value.ts';
import type { AutocompleteMapping, TextSimilarity, VectorSimilarity } from '../../interface/search/index.ts';

/** This file defines the index types of values, and the names of fields in segments. */

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
  /** In a vector index: any value that filters can compare. */
  | 'filter';

/** One entry of `fields` of a mapping, completed with defaults. */
export interface FieldMapping {
  readonly type: FieldType;
  readonly analyzer?: string | undefined;
  readonly searchAnalyzer?: string | undefined;
  /** The mappings for alternative analyzers of a string, by name. */
  readonly multi?: ReadonlyMap<string, FieldMapping>;
  /** Maximum length; longer strings and tokens are not indexed. */
  readonly ignoreAbove?: number | undefined;
  /** If false, scores do not depend on field lengths. */
  readonly norms?: boolean | undefined;
  readonly freqs?: boolean;
  readonly positions?: boolean;
  /** False if the index lacks the offsets or the text that highlights require. */
  readonly highlights?: boolean;
  readonly similarity?: TextSimilarity;
  readonly normalizer?: 'lowercase' | 'none';
  /**
   * Present for the outdated types that only facets read, such as `stringFacet`. A facet prefers such a type to other
   * types of the same field, and ignores arrays of numbers and dates. `apart` is true if the terms of the type are
   * stored separately from those of `token`.
   */
  readonly facet?: { readonly apart: boolean };
  readonly grams?: Grams;
  readonly numbers?: NumbersMapping;
  readonly indexShapes?: boolean;
  readonly vector?: VectorMapping;
  /** The mapping of the fields of embedded documents. */
  readonly inside?: Mapping;
  /** The stored fields of embedded documents. */
  readonly storedSource?: StoredSource | undefined;
}

export type Grams = Omit<AutocompleteMapping, 'analyzer' | 'similarity' | 'type'>;

interface NumbersMapping {
  readonly indexIntegers: boolean;
  readonly indexDoubles: boolean;
  /** True if doubles are rounded to integers. */
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
  /** The types of fields that `fields` does not name; undefined if such fields are not indexed. */
  readonly dynamic: readonly FieldMapping[] | undefined;
  readonly fields: ReadonlyMap<string, readonly FieldMapping[]>;
}

/** Functions and constants for the names of fields in segments. */
export const keys = {
  text: (path: string, multi?: string) => (multi === undefined ? `t:${path}` : `t:${path}\0${multi}`),
  autocomplete: (path: string) => `a:${path}`,
  /**
   * The field that stores the number of all tokens of a text field. It has a value only in documents in which this
   * number differs from the length of the text field.
   */
  total: (field: string) => `T${field}`,
  token: (path: string) => `k:${path}`,
  /** The field with the terms of `stringFacet`, if a field is indexed as both `stringFacet` and `token`. */
  facet: (path: string) => `f:${path}`,
  number: (path: string) => `n:${path}`,
  /** The field whose terms are the integers from 2^53 on. */
  integer: (path: string) => `i:${path}`,
  date: (path: string) => `d:${path}`,
  boolean: (path: string) => `b:${path}`,
  objectId: (path: string) => `o:${path}`,
  uuid: (path: string) => `u:${path}`,
  nothing: (path: string) => `z:${path}`,
  geo: (path: string) => `g:${path}`,
  vector: (path: string) => `v:${path}`,
  /** The field whose terms are the paths that exist in a document. */
  exists: 'e',
  /** The field whose terms are the paths at which a document has an array of numbers or dates. */
  listed: 'l',
  /**
   * The field whose terms are the paths of embedded documents. A term lists the embedded documents, not the enclosing
   * ones.
   */
  embedded: 'c',
};

/** Returns the term of an ObjectId or UUID: its bytes from `from` on, in hexadecimal. */
export function hexTerm({ bytes, start, end }: Value, from: number): string {
  const length = end - start - from;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start + from, length).toString('hex');
}
