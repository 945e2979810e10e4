import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Environment } from '../expression/environment.ts';
import { type Path, someValueAt, someWholeAt, type Test } from '../paths.ts';
import type { Condition, Leaf } from './filter.ts';

/** Compiles an operator that stands where a field could: `{$op: operand}`. */
export type CompileTopLevel = (operand: Value, context: FilterContext) => Condition;

/** Everything that is known of such an operator. No field is optional, so that a new one is forgotten nowhere. */
export interface TopLevelOperator {
  readonly compile: CompileTopLevel;
  /** `$elemMatch` that begins with it is a filter of the documents in the array, not a test of its entries. */
  readonly asksDocuments: boolean;
  readonly inElemMatch: boolean;
  /** In the `$elemMatch` of a projection, where the two refusals have different codes. */
  readonly inProjection: 'allowed' | 'refused' | 'onlyAtTop';
  /** In the validator of a collection. */
  readonly inValidator: boolean;
}

export type TopLevelTable = Readonly<Record<string, TopLevelOperator>>;

/** What operators need to compile what is inside of them. */
export interface FilterContext {
  /** What is known of an operator in the place of a field. */
  topLevel(name: string): TopLevelOperator | undefined;
  /** The same for what is asked of the entries of an array, at any depth. */
  insideElemMatch(): FilterContext;
  /** What expressions in the filter see besides the document. */
  readonly environment: Environment;
  /** A filter about documents. */
  readonly compile: (filter: RawDocument) => Condition;
  /** Operators about one path: `{$gt: 1, $lt: 5}`. */
  readonly compileOperators: (path: Path, spec: RawDocument) => readonly Condition[];
  /** Whether there is an operator of that name. */
  readonly isOperator: (name: string) => boolean;
}

/**
 * Checks the operand and makes the condition; throws what the server answers to a wrong operand. `spec` has
 * the operator and those beside it.
 */
export type CompileOperator = (
  operand: Value,
  path: Path,
  context: FilterContext,
  spec: RawDocument,
) => Condition;

/** Operators that stand below a path: `{path: {$op: operand}}`. */
export type OperatorTable = Readonly<Record<string, CompileOperator>>;

/** A condition that one of the values at a path meets. */
export function leaf(operator: string, path: Path, test: Test, facts: LeafFacts = {}): Condition {
  return { operator, leaf: { path, test, ...facts }, matches: (doc) => someValueAt(path, doc, test) };
}

/** A condition about what stands at a path, arrays as a whole. */
export function wholeLeaf(operator: string, path: Path, test: Test, facts: LeafFacts = {}): Condition {
  return { operator, leaf: { path, test, ...facts }, matches: (doc) => someWholeAt(path, doc, test) };
}

type LeafFacts = Pick<Leaf, 'bounds' | 'equals' | 'entry' | 'inside'>;

export function not(condition: Condition): Condition {
  return { operator: '$not', children: [condition], matches: (doc) => !condition.matches(doc) };
}

export function always(operator: string, matches: boolean): Condition {
  return { operator, matches: () => matches };
}
