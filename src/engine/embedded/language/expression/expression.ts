import type { RawDocument } from '../raw.ts';
import type { Value } from '../value.ts';

/** What an expression is evaluated in. */
export interface Scope {
  readonly root: RawDocument;
}

/** A compiled expression; `undefined` is a value that is missing. */
export interface Expression {
  /** Present where the value is the same for every document. */
  readonly constant?: Value;
  evaluate(scope: Scope): Value | undefined;
}

export function constant(value: Value): Expression {
  return { constant: value, evaluate: () => value };
}

/** Checks the operand and makes the expression; `compile` is for expressions inside of it. */
export type CompileExpression = (operand: Value, compile: (value: Value) => Expression) => Expression;

export type ExpressionTable = Readonly<Record<string, CompileExpression>>;
