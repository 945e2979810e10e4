import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import {
  type CompileExpression,
  type Compiler,
  constant,
  type Expression,
  type Scope,
} from './expression.ts';

/** A value; `undefined` if it is missing. */
export type Argument = Value | undefined;

type NullValue = Value & { readonly type: typeof bsonTypes.null | typeof bsonTypes.undefined };

/** True for missing, null, and the deprecated type `undefined`. */
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

/** The number of arguments: exact, or a range. */
export type Arity = number | readonly [least: number, most: number];

/** The arguments of a list, or the operand itself as the only argument. */
export function argumentsOf(operand: Element, arity: Arity): Value[] {
  const args = operand.type === bsonTypes.array ? entriesOf(operand) : [operand];
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

/** An operator on the values of its arguments, which are all evaluated first. */
export function over(
  arity: Arity,
  apply: (args: readonly Argument[], name: string) => Argument,
): CompileExpression {
  return (operand, { compile }) => {
    const { name } = operand;
    const expressions = argumentsOf(operand, arity).map(compile);
    return folded(expressions, (scope) => apply(evaluated(expressions, scope), name));
  };
}

export const any: Arity = [0, Number.POSITIVE_INFINITY];

/** An operator with one argument. */
export function unary(apply: (value: Argument, name: string) => Argument): CompileExpression {
  return (operand, { compile }) => {
    const { name } = operand;
    const [only] = argumentsOf(operand, 1).map(compile) as [Expression];
    return folded([only], (scope) => apply(only.evaluate(scope), name));
  };
}

export function binary(apply: (a: Argument, b: Argument, name: string) => Argument): CompileExpression {
  return (operand, { compile }) => {
    const { name } = operand;
    const [a, b] = argumentsOf(operand, 2).map(compile) as [Expression, Expression];
    return folded([a, b], (scope) => apply(a.evaluate(scope), b.evaluate(scope), name));
  };
}

const nowhere: Scope = { root: RawDocument.empty };

/**
 * An expression that depends only on its arguments. If all of them are constant it is evaluated at once; an
 * error is deferred until the value is needed, because the expression may be in a branch that is not taken.
 */
export function folded(
  args: ReadonlyArray<Expression | undefined>,
  evaluate: Expression['evaluate'],
): Expression {
  if (!args.every((arg) => arg === undefined || arg.constant !== undefined)) return { evaluate };
  try {
    const value = evaluate(nowhere);
    return value === undefined ? { evaluate } : constant(value);
  } catch (error) {
    if (error instanceof ServerError) return { evaluate, failure: error };
    throw error;
  }
}

function evaluated(expressions: readonly Expression[], scope: Scope): Argument[] {
  return expressions.map((expression) => expression.evaluate(scope));
}

/** The named arguments of an operator whose operand is a document. */
export interface NamedArguments {
  /** Error codes if the operand is not a document, and for an unknown field. */
  readonly notDocument: number | 'FailedToParse';
  readonly unknown: number | 'FailedToParse';
  /** By name: the error code for a missing field, or `optional`. */
  readonly fields: Readonly<Record<string, number | 'FailedToParse' | 'optional'>>;
}

/** The validated fields of the operand, not compiled. */
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

/** The compiled fields of the operand; omitted ones are `undefined`. */
export function named<Spec extends NamedArguments>(
  operand: Element,
  compiler: Compiler,
  spec: Spec,
): Partial<Record<keyof Spec['fields'], Expression>> {
  const compiled: Partial<Record<string, Expression>> = {};
  for (const [name, element] of fieldsOf(operand, spec)) compiled[name] = compiler.compile(element);
  return compiled as Partial<Record<keyof Spec['fields'], Expression>>;
}
