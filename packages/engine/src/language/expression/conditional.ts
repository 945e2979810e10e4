import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isTrue } from './boolean.ts';
import { type Compiler, checkConstant, type Expression, type ExpressionTable } from './expression.ts';
import { argumentsOf, fieldsOf, isNullish, named } from './operator.ts';

/** Operators that evaluate only the arguments they need. */
export const conditionalOperators: ExpressionTable = {
  $cond: compileCond,
  $ifNull: compileIfNull,
  $switch: compileSwitch,
};

const condArguments = {
  notDocument: 16020,
  unknown: 17083,
  // biome-ignore lint/suspicious/noThenProperty: the server's name of the argument
  fields: { if: 17080, then: 17081, else: 17082 },
} as const;

function compileCond(operand: Element, compiler: Compiler): Expression {
  const [condition, yes, no] = condParts(operand, compiler);
  if (condition.constant !== undefined) return isTrue(condition.constant) ? yes : no;
  return { evaluate: (scope) => (isTrue(condition.evaluate(scope)) ? yes : no).evaluate(scope) };
}

function condParts(operand: Element, compiler: Compiler): [Expression, Expression, Expression] {
  if (operand.type !== bsonTypes.object) {
    return argumentsOf(operand, 3).map(compiler.compile) as [Expression, Expression, Expression];
  }
  const parts = named(operand, compiler, condArguments);
  return [parts.if as Expression, parts.then as Expression, parts.else as Expression];
}

/** Returns the first argument that is not null, or the last one if all are null. */
function compileIfNull(operand: Element, { compile }: Compiler): Expression {
  const args = (operand.type === bsonTypes.array ? entriesOf(operand) : [operand]).map(compile);
  if (args.length < 2) {
    throw new ServerError(1257300, `$ifNull needs at least two arguments, had: ${args.length}`);
  }
  // A constant that fails is an error even if no document needs it.
  for (const arg of args) checkConstant(arg);
  const fallback = args.pop() as Expression;
  return {
    evaluate(scope) {
      for (const arg of args) {
        const value = arg.evaluate(scope);
        if (!isNullish(value)) return value;
      }
      return fallback.evaluate(scope);
    },
  };
}

interface Branch {
  readonly when: Expression;
  readonly result: Expression;
  /** Marks the branch as never taken, so that its constants are not evaluated. */
  drop(): void;
}

const switchArguments = {
  notDocument: 40060,
  unknown: 40067,
  fields: { branches: 40068, default: 'optional' },
} as const;

function compileSwitch(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, switchArguments);
  const list = fields.get('branches') as Element;
  if (list.type !== bsonTypes.array) {
    throw new ServerError(40061, `$switch expected an array for 'branches', found: ${typeName(list.type)}`);
  }
  const branches = entriesOf(list).map((branch) => compileBranch(branch, compiler));
  const otherwise = fields.get('default');
  if (branches.length === 0) throw new ServerError(40068, '$switch requires at least one branch.');
  return chosen(branches, otherwise && compiler.compile(otherwise));
}

function compileBranch(branch: Value, compiler: Compiler): Branch {
  const compile = () => partsOf(branch, compiler);
  const [parts, drop] = compiler.folding?.apart(compile) ?? [compile(), () => {}];
  return { ...parts, drop };
}

function partsOf(branch: Value, compiler: Compiler): Omit<Branch, 'drop'> {
  if (branch.type !== bsonTypes.object) {
    throw new ServerError(
      40062,
      `$switch expected each branch to be an object, found: ${typeName(branch.type)}`,
    );
  }
  const parts = new Map<string, Expression>();
  for (const element of documentOf(branch)) {
    const { name } = element;
    if (name !== 'case' && name !== 'then') {
      throw new ServerError(40063, `$switch found an unknown argument to a branch: ${name}`);
    }
    parts.set(name, compiler.compile(element));
  }
  const [when, then] = [parts.get('case'), parts.get('then')];
  if (when === undefined)
    throw new ServerError(40064, "$switch requires each branch have a 'case' expression");
  if (then === undefined)
    throw new ServerError(40065, "$switch requires each branch have a 'then' expression.");
  return { when, result: then };
}

/**
 * Drops branches whose condition is constantly false. If no branch and no default is left, throws before any document
 * is read.
 */
function chosen(branches: readonly Branch[], otherwise: Expression | undefined): Expression {
  checkConstant(otherwise);
  const left = branches.filter(({ when }) => when.constant === undefined || isTrue(when.constant));
  const always = left.findIndex(({ when }) => when.constant !== undefined);
  const taken = new Set(always === -1 ? left : left.slice(0, always + 1));
  for (const branch of branches) if (!taken.has(branch)) branch.drop();
  if (left[0]?.when.constant !== undefined) return left[0].result;
  if (left.length === 0) {
    if (otherwise !== undefined) return otherwise;
    throw new ServerError(
      40069,
      'Cannot execute a switch statement where all the cases evaluate to false without a default.',
    );
  }
  return {
    evaluate(scope) {
      const taken = left.find(({ when }) => isTrue(when.evaluate(scope)))?.result ?? otherwise;
      if (taken !== undefined) return taken.evaluate(scope);
      throw new ServerError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    },
  };
}
