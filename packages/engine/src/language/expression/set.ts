import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { bool, falseValue, nullValue, textOf, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { OVERHEAD } from '../workspace.ts';
import { isTrue } from './boolean.ts';
import { ArrayBuilder, arrayFrom, checking, listOf } from './entries.ts';
import type { CompileExpression, Compiler, ExpressionTable } from './expression.ts';
import {
  type Argument,
  any,
  argumentsOf,
  binary,
  folded,
  holding,
  isNullish,
  over,
  typeOf,
  unary,
} from './operator.ts';

/** Operators that treat arrays as sets: the order of entries and duplicates do not count. */
export const setOperators: ExpressionTable = {
  $setUnion: (operand, compiler) =>
    commutative((args, name) => union(args, name, compiler))(operand, compiler),
  $setIntersection: (operand, compiler) =>
    commutative((args, name) => intersection(args, name, compiler))(operand, compiler),
  $setDifference: (operand, compiler) => {
    return binary((a, b, name, statement) => {
      if (isNullish(a) || isNullish(b)) return nullValue;
      const left = arrayMembers(a, name, 17048);
      const seen = keysOf(arrayMembers(b, name, 17049), compiler, name);
      const rest = new ArrayBuilder(statement, name);
      for (const value of documentOf(left)) if (addKey(seen, value, compiler, name)) rest.add(value);
      return rest.finish();
    })(operand, compiler);
  },
  $setEquals: compileSetEquals,
  $setIsSubset: (operand, compiler) =>
    binary((a, b, name) => {
      const left = arrayMembers(a, name, 17046);
      const right = keysOf(arrayMembers(b, name, 17042), compiler, name);
      for (const value of documentOf(left)) if (!right.has(keyOf(value, compiler))) return falseValue;
      return trueValue;
    })(operand, compiler),
  $allElementsTrue: unary((value, name, statement) =>
    bool(members(value, name, 17040, statement).every(isTrue)),
  ),
  $anyElementTrue: unary((value, name, statement) =>
    bool(members(value, name, 17041, statement).some(isTrue)),
  ),
};

/** Evaluates the constant arguments last, as the server does, so that the same error is reported. */
function commutative(apply: (args: readonly Argument[], name: string) => Value): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { statement } = compiler;
    const args = argumentsOf(operand, any).map(compiler.compile);
    const ordered = [...args].sort(
      (a, b) => Number(a.constant !== undefined) - Number(b.constant !== undefined),
    );
    return folded(compiler, ordered, (scope) =>
      apply(
        ordered.map((arg) => holding(arg.evaluate(scope), scope, statement, name)),
        name,
      ),
    );
  };
}

function arrayMembers(value: Argument, name: string, code: number): Value {
  if (value?.type !== bsonTypes.array) {
    throw new ServerError(
      code,
      `All operands of ${name} must be arrays. One argument is of type: ${typeOf(value)}`,
    );
  }
  return value;
}

function members(value: Argument, name: string, code: number, statement: Statement): Value[] {
  return listOf(arrayMembers(value, name, code), statement, name);
}

type Context = Pick<Compiler, 'comparison' | 'statement'>;

function keyOf(value: Value, { comparison, statement }: Context): string {
  statement.check();
  return comparison.keyText(value);
}

/** Adds the key of a value. Returns false if the set already has it. */
function addKey(keys: Set<string>, value: Value, context: Context, name: string): boolean {
  const key = keyOf(value, context);
  if (keys.has(key)) return false;
  context.statement.hold(key.length + OVERHEAD, name);
  keys.add(key);
  return true;
}

function keysOf(array: Value, context: Context, name: string): Set<string> {
  const keys = new Set<string>();
  for (const value of documentOf(array)) addKey(keys, value, context, name);
  return keys;
}

/** Returns the keys that an array shares with a set, and removes them from the set, so that no memory is added. */
function takeShared(keys: Set<string>, array: Value, context: Context): Set<string> {
  const shared = new Set<string>();
  for (const value of documentOf(array)) {
    const key = keyOf(value, context);
    if (keys.delete(key)) shared.add(key);
  }
  return shared;
}

/** Number of values that a union collects before it removes equal ones. */
const MANY = 65_536;
/** Number of values whose memory is counted at a time. */
const BLOCK = 64;

function union(args: readonly Argument[], name: string, context: Context): Value {
  const { statement } = context;
  let all: Value[] = [];
  let most = MANY;
  let counted = 0;
  for (const array of args) {
    if (isNullish(array)) return nullValue;
    for (const value of documentOf(arrayMembers(array, name, 17043))) {
      statement.check();
      if (all.length === counted) {
        statement.hold(BLOCK * OVERHEAD, name);
        counted += BLOCK;
      }
      all.push(value);
      if (all.length < most) continue;
      all = distinct(all, context);
      most = Math.max(MANY, all.length * 2);
    }
  }
  return arrayFrom(distinct(all, context), statement, name);
}

/** Returns the values in order, as unions and intersections do. Of equal values, keeps the first. */
function distinct(values: Value[], { comparison, statement }: Context): Value[] {
  values.sort(checking(statement, comparison.compare));
  return values.filter((value, i) => {
    statement.check();
    return i === 0 || comparison.compare(values[i - 1] as Value, value) !== 0;
  });
}

function intersection(args: readonly Argument[], name: string, context: Context): Value {
  let common: Set<string> | undefined;
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    const array = arrayMembers(value, name, 17047);
    common = common === undefined ? keysOf(array, context, name) : takeShared(common, array, context);
  }
  const [first] = args;
  if (common === undefined) return arrayFrom([], context.statement, name);
  // Each value replaces its key, so no memory is added.
  const values: Value[] = [];
  for (const value of documentOf(first as Value))
    if (common.delete(keyOf(value, context))) values.push(value);
  return arrayFrom(distinct(values, context), context.statement, name);
}

function compileSetEquals(...args: Parameters<CompileExpression>): ReturnType<CompileExpression> {
  const [operand, compiler] = args;
  const count = operand.type === bsonTypes.array ? entriesOf(operand).length : 1;
  if (count < 2) throw new ServerError(17045, `$setEquals needs at least two arguments had: ${count}`);
  const literals = operand.type === bsonTypes.array ? entriesOf(operand) : [];
  if (literals.some((literal) => isLiteral(literal) && literal.type !== bsonTypes.array)) {
    throw new ServerError(5887502, 'All operands of $setEquals must be arrays');
  }
  return over(any, (values, name) => {
    const [first, ...others] = values.map((value) => arrayMembers(value, name, 17044));
    const keys = keysOf(first as Value, compiler, name);
    return bool(others.every((array) => isSameSet(keys, array, compiler)));
  })(...args);
}

/** True if the operand is a value rather than an expression. */
function isLiteral(value: Value): boolean {
  if (value.type === bsonTypes.string) return !textOf(value).startsWith('$');
  return value.type !== bsonTypes.object || !documentOf(value).first()?.name.startsWith('$');
}

/** True if an array has exactly the values with these keys. Its values are removed from the keys meanwhile. */
function isSameSet(keys: Set<string>, array: Value, context: Context): boolean {
  const shared = new Set<string>();
  for (const value of documentOf(array)) {
    const key = keyOf(value, context);
    if (keys.delete(key)) shared.add(key);
    else if (!shared.has(key)) return false;
  }
  if (keys.size > 0) return false;
  for (const key of shared) {
    context.statement.check();
    keys.add(key);
  }
  return true;
}
