import type { Segment } from '../file/segment.ts';
import type { Hits } from './hits.ts';
import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';

/** One operator of a search, ready to be asked. */
export interface Operator {
  /** What it finds in a segment. */
  hits(segment: Segment): Hits;
  /** Which terms of which fields it looks for: what is marked in highlights. */
  readonly looksFor?: readonly Looked[] | undefined;
  /** How the score of a document comes about. */
  explain?(segment: Segment, doc: number): Explanation;
}

export interface Looked {
  /** A field of text, by its name in segments. */
  readonly field: string;
  matches(term: string): boolean;
}

export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

export interface OperatorContext {
  readonly search: Searching;
  /** The embedded documents that are asked, by their path; none: those of the collection. */
  readonly within: string | undefined;
  /** Compiles the one operator that a document names. */
  compile(spec: Spec, within?: string): Operator;
  /** The path of `returnScope`. */
  readonly scope?: string | undefined;
}

/** Checks the specification of an operator; `score` is read by whoever calls it. */
export type CompileOperator = (spec: Spec, context: OperatorContext) => Operator;

export type OperatorTable = Readonly<Record<string, CompileOperator>>;
