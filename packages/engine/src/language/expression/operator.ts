import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { type Element, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { freeing, type Statement } from '../../statement/statement.ts';
import { listed } from '../parts.ts';
import type { CompileExpression, Compiler, Expression, Scope } from './expression.ts';
import { FoldedExpression } from './folded.ts';

/** The value of an argument; `undefined` if it is missing. */
export type Argument = Value | undefined;

type NullValue = Value & { readonly type: typeof bsonTypes.null | typeof bsonTypes.undefined };

/** True for a missing value, null, and the deprecated BSON type `undefined`. */
export function isNullish(value: Argument): value is undefined | NullValue {
  return value === undefined || value.type === bsonTypes.null || value.type === bsonTypes.undefined;
}

/** Narrows to a value that is neither missing nor null. */
export function isPresent(value: Argument): value is Value {
  return !isNullish(value);
}

export function typeOf(value: Argument): string {
  return typeName(value?.type);
}

/** The number of arguments, either exact or a range. */
export type Arity = number | readonly [least: number, most: number];

/** Returns the entries of an array operand, or the operand itself as the only argument. */
export function argumentsOf(operand: Element, arity: Arity): Value[] {
  const args = operand.type === bsonTypes.array ? listed(documentOf(operand), 'an expression') : [operand];
  if (typeof arity === 'number') {
    if (args.length !== arity) {
      throw new ServerError(
        16020,
        `Expression ${operand.name} takes exactly ${arity} arguments. ${args.length} were passed in.`,
      );
    }
  } else if (args.length < arity[0] || args.length > arity[1]) {
    throw new ServerError(
      28667,
      `Expression ${operand.name} takes at least ${arity[0]} arguments, and at most ${arity[1]}, ` +
        `but ${args.length} were passed in.`,
    );
  }
  return args;
}

/** Compiles an operator that evaluates all its arguments before it is applied to their values. */
export function over(
  arity: Arity,
  apply: (args: readonly Argument[], name: string, statement: Statement) => Argument,
): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { statement } = compiler;
    const expressions = argumentsOf(operand, arity).map(compiler.compile);
    return folded(compiler, expressions, (scope) =>
      apply(evaluated(expressions, scope, statement, name), name, statement),
    );
  };
}

export const any: Arity = [0, Number.POSITIVE_INFINITY];

/** Compiles an operator with one argument. */
export function unary(
  apply: (value: Argument, name: string, statement: Statement) => Argument,
): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { statement } = compiler;
    const [only] = argumentsOf(operand, 1).map(compiler.compile) as [Expression];
    return folded(compiler, [only], (scope) => apply(only.evaluate(scope), name, statement));
  };
}

export function binary(
  apply: (a: Argument, b: Argument, name: string, statement: Statement) => Argument,
): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { statement } = compiler;
    const [a, b] = argumentsOf(operand, 2).map(compiler.compile) as [Expression, Expression];
    return folded(compiler, [a, b], (scope) => apply(a.evaluate(scope), b.evaluate(scope), name, statement));
  };
}

/** Compiles an expression that depends only on its arguments. If all of them are constant, it is evaluated once. */
export function folded(
  { statement, folding }: Pick<Compiler, 'statement' | 'folding'>,
  args: ReadonlyArray<Expression | undefined>,
  evaluate: Expression['evaluate'],
): Expression {
  if (!args.every((arg) => arg === undefined || isFoldable(arg))) return releasing(statement, evaluate);
  const made = new FoldedExpression(args, evaluate, statement);
  folding?.add(made);
  return made;
}

/**
 * Checks some arguments of an operator. If all of these arguments are constant and one is invalid, the command fails
 * before it reads documents. It fails even if the other arguments depend on the document.
 */
export function checkConstants(
  compiler: Pick<Compiler, 'statement' | 'folding'>,
  args: ReadonlyArray<Expression | undefined>,
  check: (values: readonly Argument[]) => void,
): void {
  if (args.every((arg) => arg === undefined)) return;
  folded(compiler, args, (scope) => {
    check(args.map((arg) => arg?.evaluate(scope)));
    return nullValue;
  });
}

/**
 * Returns an expression that releases, after each evaluation, the memory that the statement counted during the
 * evaluation.
 */
export function releasing(statement: Statement, evaluate: Expression['evaluate']): Expression {
  return {
    evaluate(scope) {
      return freeing(statement, evaluate, scope);
    },
  };
}

/** True if the argument may be constant. Unlike reading `constant`, this does not evaluate the argument. */
function isFoldable(arg: Expression): boolean {
  return arg instanceof FoldedExpression || arg.constant !== undefined;
}

/** Smaller values are not counted as memory. */
const COUNTED_BYTES = 4096;

/** Counts a value that stays in memory while other arguments are evaluated, unless it is part of the document. */
export function holding(value: Argument, { root }: Scope, statement: Statement, name: string): Argument {
  if (value === undefined || value.end - value.start < COUNTED_BYTES || value.bytes === root.bytes)
    return value;
  statement.hold(value.end - value.start, name);
  return value;
}

function evaluated(
  expressions: readonly Expression[],
  scope: Scope,
  statement: Statement,
  name: string,
): Argument[] {
  return expressions.map((expression) => holding(expression.evaluate(scope), scope, statement, name));
}

/** The named arguments of an operator whose operand is a document. */
export interface NamedArguments {
  /** The error codes for an operand that is not a document and for an unknown field. */
  readonly notDocument: number | 'FailedToParse';
  readonly unknown: number | 'FailedToParse';
  /** For each field, the error code if the field is missing, or `optional`. */
  readonly fields: Readonly<Record<string, number | 'FailedToParse' | 'optional'>>;
}

/** Validates the operand and returns its fields without compiling them. */
export function fieldsOf(
  operand: Element,
  { notDocument, unknown, fields }: NamedArguments,
): Map<string, Element> {
  const { name } = operand;
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(notDocument, `${name} only supports an object as its argument`);
  }
  const found = new Map<string, Element>();
  for (const element of documentOf(operand)) {
    if (!Object.hasOwn(fields, element.name)) {
      throw new ServerError(unknown, `Unrecognized argument to ${name}: ${element.name}`);
    }
    found.set(element.name, element);
  }
  for (const [field, code] of Object.entries(fields)) {
    if (code !== 'optional' && !found.has(field)) {
      throw new ServerError(code, `Missing '${field}' parameter to ${name}`);
    }
  }
  return found;
}

/** Validates and compiles the fields of the operand; omitted fields are `undefined`. */
export function named<Spec extends NamedArguments>(
  operand: Element,
  compiler: Compiler,
  spec: Spec,
): Partial<Record<keyof Spec['fields'], Expression>> {
  const compiled: Partial<Record<string, Expression>> = {};
  for (const [name, element] of fieldsOf(operand, spec)) compiled[name] = compiler.compile(element);
  return compiled as Partial<Record<keyof Spec['fields'], Expression>>;
}
