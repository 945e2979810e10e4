import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Scripts } from '../scripts.ts';

/** What an expression is evaluated in. */
export interface Scope {
  readonly root: RawDocument;
  /** What the expressions around have bound, by slot (see `Compiler`). */
  readonly variables?: ReadonlyArray<Value | undefined>;
}

/** A compiled expression; `undefined` is a value that is missing. */
export interface Expression {
  /** Present where the value is the same for every document. */
  readonly constant?: Value;
  /** Present where it depends on no document and cannot be evaluated. */
  readonly failure?: ServerError;
  evaluate(scope: Scope): Value | undefined;
}

export function constant(value: Value): Expression {
  return { constant: value, evaluate: () => value };
}

/** The document itself. */
export const root: Expression = { evaluate: (scope) => scope.root.toValue() };

/** Throws for an expression that fails before any document is read. */
export function checkConstant(expression: Expression | undefined): void {
  if (expression?.failure !== undefined) throw expression.failure;
}

/** Compiles expressions inside of others. */
export interface Compiler {
  readonly compile: (value: Value) => Expression;
  /**
   * A compiler for expressions that see these variables too. Their values stand in `Scope.variables` from
   * slot `size` of this compiler on.
   */
  bind(names: readonly string[]): Compiler;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** The statement that evaluates them. */
  readonly statement: Statement;
  /** How values compare. */
  readonly comparison: Comparison;
  /** Runs scripts; absent where none are allowed. */
  readonly scripts: Scripts | undefined;
  /** What `$meta` can tell. */
  readonly metadata: ReadonlySet<string>;
  /** Tells that `$meta` asks for it. */
  noteAsked(name: string): void;
  /** What is asked keeps to API Version 1. */
  readonly strictApi: boolean;
  /** How many variables are bound. */
  readonly size: number;
  /** Reads a variable, or `field` of it alone. Throws 17276 where there is none of that name. */
  variable(name: string, field?: string): Expression;
}

/** Checks the operand, whose name is the operator's, and makes the expression. */
export type CompileExpression = (operand: Element, compiler: Compiler) => Expression;

export type ExpressionTable = Readonly<Record<string, CompileExpression>>;

/** A scope in which the variables that `compiler.bind` added have these values. */
export function bound(scope: Scope, compiler: Compiler, values: ReadonlyArray<Value | undefined>): Scope {
  const around = scope.variables ?? [];
  return { root: scope.root, variables: [...around.slice(0, compiler.size), ...values] };
}
