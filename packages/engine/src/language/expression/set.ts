import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { bool, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isTrue } from './boolean.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { arrayOf } from './field-path.ts';
import {
  type Argument,
  any,
  argumentsOf,
  binary,
  folded,
  isNullish,
  over,
  typeOf,
  unary,
} from './operator.ts';

/** Arrays as sets: order and duplicates are ignored. */
export const setOperators: ExpressionTable = {
  $setUnion: (operand, compiler) =>
    commutative((args, name) => union(args, name, compiler.comparison))(operand, compiler),
  $setIntersection: (operand, compiler) =>
    commutative((args, name) => intersection(args, name, compiler.comparison))(operand, compiler),
  $setDifference: (operand, compiler) => {
    const { comparison } = compiler;
    return binary((a, b, name) => {
      if (isNullish(a) || isNullish(b)) return nullValue;
      const left = members(a, name, 17048);
      const right = setOf(members(b, name, 17049), comparison);
      const rest = [...setOf(left, comparison)].filter(([key]) => !right.has(key));
      return arrayOf(rest.map(([, value]) => value));
    })(operand, compiler);
  },
  $setEquals: compileSetEquals,
  $setIsSubset: (operand, compiler) =>
    binary((a, b, name) => {
      const left = setOf(members(a, name, 17046), compiler.comparison);
      const right = setOf(members(b, name, 17042), compiler.comparison);
      return bool(left.keys().every((key) => right.has(key)));
    })(operand, compiler),
  $allElementsTrue: unary((value, name) => bool(members(value, name, 17040).every(isTrue))),
  $anyElementTrue: unary((value, name) => bool(members(value, name, 17041).some(isTrue))),
};

/** Evaluates constants last. */
function commutative(apply: (args: readonly Argument[], name: string) => Value): CompileExpression {
  return (operand, { compile }) => {
    const { name } = operand;
    const args = argumentsOf(operand, any).map(compile);
    const ordered = [...args].sort(
      (a, b) => Number(a.constant !== undefined) - Number(b.constant !== undefined),
    );
    return folded(ordered, (scope) =>
      apply(
        ordered.map((arg) => arg.evaluate(scope)),
        name,
      ),
    );
  };
}

function members(value: Argument, name: string, code: number): Value[] {
  if (value?.type !== bsonTypes.array) {
    throw new ServerError(
      code,
      `All operands of ${name} must be arrays. One argument is of type: ${typeOf(value)}`,
    );
  }
  return entriesOf(value);
}

/** Members by key; the first of equal ones is kept. */
function setOf(values: readonly Value[], { keyText }: Comparison): Map<string, Value> {
  const set = new Map<string, Value>();
  for (const value of values) {
    const key = keyText(value);
    if (!set.has(key)) set.set(key, value);
  }
  return set;
}

/** Unions and intersections are sorted by value. */
function sorted(set: Iterable<[string, Value]>, { compare }: Comparison): Value {
  return arrayOf([...set].map(([, value]) => value).sort(compare));
}

function union(args: readonly Argument[], name: string, comparison: Comparison): Value {
  const all: Value[] = [];
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    all.push(...members(value, name, 17043));
  }
  return sorted(setOf(all, comparison), comparison);
}

function intersection(args: readonly Argument[], name: string, comparison: Comparison): Value {
  let common: Map<string, Value> | undefined;
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    const set = setOf(members(value, name, 17047), comparison);
    common = common === undefined ? set : new Map([...common].filter(([key]) => set.has(key)));
  }
  return sorted(common ?? [], comparison);
}

function compileSetEquals(...args: Parameters<CompileExpression>): ReturnType<CompileExpression> {
  const [operand, { comparison }] = args;
  const count = operand.type === bsonTypes.array ? entriesOf(operand).length : 1;
  if (count < 2) throw new ServerError(17045, `$setEquals needs at least two arguments had: ${count}`);
  const literals = operand.type === bsonTypes.array ? entriesOf(operand) : [];
  if (literals.some((literal) => isLiteral(literal) && literal.type !== bsonTypes.array)) {
    throw new ServerError(5887502, 'All operands of $setEquals must be arrays');
  }
  return over(any, (values, name) => {
    const [first, ...others] = values.map((value) => setOf(members(value, name, 17044), comparison));
    return bool(others.every((set) => sameKeys(first as Map<string, Value>, set)));
  })(...args);
}

/** True if written as a value and not as an expression. */
function isLiteral(value: Value): boolean {
  if (value.type === bsonTypes.string) return !textOf(value).startsWith('$');
  return value.type !== bsonTypes.object || !documentOf(value).first()?.name.startsWith('$');
}

function sameKeys(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}
