import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { type Path, someValueAt, someWholeAt, type Test } from '../paths.ts';
import type { Condition, Leaf } from './filter.ts';

/** Compiles an operator that is used in place of a field: `{$op: operand}`. */
export type CompileTopLevel = (operand: Value, context: FilterContext) => Condition;

/** The descriptor of a top-level operator. All fields are required, so that every operator declares them. */
export interface TopLevelOperator {
  readonly compile: CompileTopLevel;
  /**
   * True if an `$elemMatch` that begins with the operator is a filter on documents rather than a test of the entries
   * themselves.
   */
  readonly asksDocuments: boolean;
  readonly inElemMatch: boolean;
  /**
   * Whether the operator may be in the `$elemMatch` of a projection; `refused` and `onlyAtTop` have different error
   * codes.
   */
  readonly inProjection: 'allowed' | 'refused' | 'onlyAtTop';
  /** True if the validator of a collection may contain the operator. */
  readonly inValidator: boolean;
}

export type TopLevelTable = Readonly<Record<string, TopLevelOperator>>;

/** The context in which operators compile nested conditions. */
export interface FilterContext {
  /** The descriptor of a top-level operator. */
  topLevel(name: string): TopLevelOperator | undefined;
  /** Returns the context for conditions within `$elemMatch`, at any depth. */
  insideElemMatch(): FilterContext;
  /** The environment of expressions in the filter. */
  readonly environment: Environment;
  /** Compiles a filter on documents. */
  readonly compile: (filter: RawDocument) => Condition;
  /** Compiles operators on one path: `{$gt: 1, $lt: 5}`. */
  readonly compileOperators: (path: Path, spec: RawDocument) => readonly Condition[];
  /** True if an operator has this name. */
  readonly isOperator: (name: string) => boolean;
}

/**
 * Validates the operand and compiles the condition; throws the server's error for an invalid operand. `spec`
 * contains the operator and its siblings.
 */
export type CompileOperator = (
  operand: Value,
  path: Path,
  context: FilterContext,
  spec: RawDocument,
) => Condition;

/** The operators on the value at a path: `{path: {$op: operand}}`. */
export type OperatorTable = Readonly<Record<string, CompileOperator>>;

/** The part of the context that a leaf needs. */
interface Interruptible {
  readonly environment: { readonly statement: Statement };
}

/**
 * Creates a condition that is true if any value at the path passes the test. The test loop can be
 * interrupted, because arrays may contain a million values.
 */
export const leaf = leafOf(someValueAt);

/** Creates a condition on the value at the path, where an array counts as a whole. */
export const wholeLeaf = leafOf(someWholeAt);

function leafOf(someAt: typeof someValueAt) {
  return (
    operator: string,
    path: Path,
    test: Test,
    { environment: { statement } }: Interruptible,
    facts: LeafFacts = {},
  ): Condition => {
    const checked: Test = (value) => {
      statement.check();
      return test(value);
    };
    return { operator, leaf: { path, test, ...facts }, matches: (doc) => someAt(path, doc, checked) };
  };
}

type LeafFacts = Pick<Leaf, 'bounds' | 'collated' | 'equals' | 'types' | 'never' | 'entry' | 'inside'>;

export function not(condition: Condition): Condition {
  return { operator: '$not', children: [condition], matches: (doc) => !condition.matches(doc) };
}

export function always(operator: string, matches: boolean): Condition {
  return { operator, matches: () => matches };
}
