import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { type Path, someValueAt, someWholeAt, type Test } from '../paths.ts';
import type { Condition, Leaf } from './filter.ts';

/** Compiles an operator in place of a field: `{$op: operand}`. */
export type CompileTopLevel = (operand: Value, context: FilterContext) => Condition;

/** The descriptor of a top-level operator. All fields are required, so that no operator misses one. */
export interface TopLevelOperator {
  readonly compile: CompileTopLevel;
  /** An `$elemMatch` that begins with the operator filters documents in the array rather than testing entries. */
  readonly asksDocuments: boolean;
  readonly inElemMatch: boolean;
  /** Whether it may be in the `$elemMatch` of a projection; the two rejections have different codes. */
  readonly inProjection: 'allowed' | 'refused' | 'onlyAtTop';
  /** Allowed in the validator of a collection. */
  readonly inValidator: boolean;
}

export type TopLevelTable = Readonly<Record<string, TopLevelOperator>>;

/** The context in which operators compile nested conditions. */
export interface FilterContext {
  /** The descriptor of a top-level operator. */
  topLevel(name: string): TopLevelOperator | undefined;
  /** The context for conditions on array entries, at any depth. */
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

/** Operators below a path: `{path: {$op: operand}}`. */
export type OperatorTable = Readonly<Record<string, CompileOperator>>;

/** What a leaf needs of its context. */
interface Interruptible {
  readonly environment: { readonly statement: Statement };
}

/** A condition that any value at a path may meet: there may be a million, in arrays. */
export const leaf = leafOf(someValueAt);

/** A condition on the value at a path, with arrays as a whole. */
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

type LeafFacts = Pick<Leaf, 'bounds' | 'equals' | 'entry' | 'inside'>;

export function not(condition: Condition): Condition {
  return { operator: '$not', children: [condition], matches: (doc) => !condition.matches(doc) };
}

export function always(operator: string, matches: boolean): Condition {
  return { operator, matches: () => matches };
}
