import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { bool, nullValue, textOf, type Value } from '../../bson/value.ts';
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
      const right = setOf(arrayMembers(b, name, 17049), compiler, name);
      const rest = new ArrayBuilder(statement, name);
      for (const [key, value] of setOf(left, compiler, name)) {
        statement.check();
        if (!right.has(key)) rest.add(value);
      }
      return rest.finish();
    })(operand, compiler);
  },
  $setEquals: compileSetEquals,
  $setIsSubset: (operand, compiler) =>
    binary((a, b, name) => {
      const left = setOf(arrayMembers(a, name, 17046), compiler, name);
      const right = setOf(arrayMembers(b, name, 17042), compiler, name);
      return bool(isSubset(left, right, compiler.statement));
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

/** Adds the entries of an array to a set. Of equal entries, the first is kept. */
function addMembers(set: Map<string, Value>, array: Value, context: Context, name: string): void {
  const { comparison, statement } = context;
  for (const value of documentOf(array)) {
    statement.check();
    const key = comparison.keyText(value);
    if (set.has(key)) continue;
    statement.hold(key.length * 2 + 2 * OVERHEAD, name);
    set.set(key, value);
  }
}

function setOf(array: Value, context: Context, name: string): Map<string, Value> {
  const set = new Map<string, Value>();
  addMembers(set, array, context, name);
  return set;
}

/** Returns the set as an array in value order, as unions and intersections do. */
function sorted(set: Map<string, Value>, { comparison, statement }: Context, name: string): Value {
  const values = [...set.values()].sort(checking(statement, comparison.compare));
  return arrayFrom(values, statement, name);
}

function union(args: readonly Argument[], name: string, context: Context): Value {
  const all = new Map<string, Value>();
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    addMembers(all, arrayMembers(value, name, 17043), context, name);
  }
  return sorted(all, context, name);
}

function intersection(args: readonly Argument[], name: string, context: Context): Value {
  let common: Map<string, Value> | undefined;
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    const set = setOf(arrayMembers(value, name, 17047), context, name);
    if (common === undefined) common = set;
    else {
      for (const key of common.keys()) {
        context.statement.check();
        if (!set.has(key)) common.delete(key);
      }
    }
  }
  return sorted(common ?? new Map(), context, name);
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
    const [first, ...others] = values.map((value) => setOf(arrayMembers(value, name, 17044), compiler, name));
    return bool(others.every((set) => sameKeys(first as Map<string, Value>, set, compiler.statement)));
  })(...args);
}

/** True if the operand is a value rather than an expression. */
function isLiteral(value: Value): boolean {
  if (value.type === bsonTypes.string) return !textOf(value).startsWith('$');
  return value.type !== bsonTypes.object || !documentOf(value).first()?.name.startsWith('$');
}

type Keys = ReadonlyMap<string, Value>;

function sameKeys(a: Keys, b: Keys, statement: Statement): boolean {
  return a.size === b.size && isSubset(a, b, statement);
}

function isSubset(a: Keys, b: Keys, statement: Statement): boolean {
  for (const key of a.keys()) {
    statement.check();
    if (!b.has(key)) return false;
  }
  return true;
}
