import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Folding } from '../folding.ts';
import type { Scripts } from '../scripts.ts';

/** The scope of an evaluation. */
export interface Scope {
  readonly root: RawDocument;
  /** Variables bound by enclosing expressions, by slot (see `Compiler`). */
  readonly variables?: ReadonlyArray<Value | undefined>;
}

/** A compiled expression; `undefined` stands for a missing value. */
export interface Expression {
  /** The value, if it is the same for every document. */
  readonly constant?: Value | undefined;
  /** The error, if the expression is constant but its evaluation fails. */
  readonly failure?: ServerError | undefined;
  evaluate(scope: Scope): Value | undefined;
}

export function constant(value: Value): Expression {
  return { constant: value, evaluate: () => value };
}

/** Evaluates to the root document. */
export const root: Expression = { evaluate: (scope) => scope.root.toValue() };

/** Throws the error of a constant expression that fails. */
export function checkConstant(expression: Expression | undefined): void {
  if (expression?.failure !== undefined) throw expression.failure;
}

/** Compiles nested expressions. */
export interface Compiler {
  readonly compile: (value: Value) => Expression;
  /**
   * Returns a compiler for expressions that can also read these variables. Their values are in
   * `Scope.variables`, from slot `size` of this compiler on.
   */
  bind(names: readonly string[]): Compiler;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Collects constants that are evaluated before documents are read. */
  readonly folding?: Folding | undefined;
  /** The statement that evaluates the expressions. */
  readonly statement: Statement;
  /** Compares values. */
  readonly comparison: Comparison;
  /** Runs scripts; absent where they are not allowed. */
  readonly scripts: Scripts | undefined;
  /** The metadata available to `$meta`. */
  readonly metadata: ReadonlySet<string>;
  /** Records that `$meta` requests this metadata. */
  recordMetadataUse(name: string): void;
  /** True if the operation is restricted to API Version 1. */
  readonly strictApi: boolean;
  /** Number of bound variables. */
  readonly size: number;
  /** Reads a variable, or only its `field`. Throws 17276 for an undefined variable. */
  variable(name: string, field?: string): Expression;
}

/** Validates the operand and compiles the expression. The name of the operand is the name of the operator. */
export type CompileExpression = (operand: Element, compiler: Compiler) => Expression;

export type ExpressionTable = Readonly<Record<string, CompileExpression>>;

/** Returns a scope in which the variables that `compiler.bind` added have these values. */
export function bound(scope: Scope, compiler: Compiler, values: ReadonlyArray<Value | undefined>): Scope {
  const around = scope.variables ?? [];
  return { root: scope.root, variables: [...around.slice(0, compiler.size), ...values] };
}
