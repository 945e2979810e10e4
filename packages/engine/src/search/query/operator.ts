import type { Segment } from '../file/segment.ts';
import type { Hits } from './hits.ts';
import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';

/** One compiled operator of a search. */
export interface Operator {
  /** Returns the matches in a segment. */
  hits(segment: Segment): Hits;
  /** The terms that the operator searches, by field. Highlighting marks them. */
  readonly searchedTerms?: readonly SearchedTerms[] | undefined;
  /** True if the operator does not affect the facet that is counted. A compound operator omits such a clause. */
  readonly omitted?: boolean;
  /** Describes what is searched, for explanations of scores. */
  readonly query?: string;
  /** Explains the score of a document. */
  explain?(segment: Segment, doc: number): Explanation;
  /**
   * Returns the operator with scores that are multiplied by `by`. The factor is part of the weight of its terms, and
   * scores are rounded afterwards, as in Lucene.
   */
  boosted?(by: number): Operator;
}

export interface SearchedTerms {
  /** The name of the text field in segments. */
  readonly field: string;
  matches(term: string): boolean;
}

export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

/** The level of the documents that an operator searches. */
export interface Level {
  /** The path of the embedded documents that are searched; undefined for the documents of the collection. */
  readonly within: string | undefined;
  /** The field of the search that sets `within`, in error messages. */
  readonly source: string;
}

export interface OperatorContext extends Level {
  readonly search: Searching;
  /** Compiles the operator that a document contains, by default at the same level. */
  compile(spec: Spec, level?: Level): Operator;
  /** The facet to count. Operators whose option `doesNotAffect` contains its name are omitted. */
  readonly facet?: string | undefined;
  /** The path in `returnScope`. */
  readonly scope?: string | undefined;
}

/** Validates and compiles the specification of an operator, except its `score`, which the caller reads. */
export type CompileOperator = (spec: Spec, context: OperatorContext) => Operator;

export type OperatorTable = Readonly<Record<string, CompileOperator>>;
