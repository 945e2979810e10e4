import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { addNumbers, bigIntOf, multiplyNumbers } from '../../bson/numbers/arithmetic.ts';
import { compareNumbers } from '../../bson/numbers/compare.ts';
import { fitsInt64 } from '../../bson/numbers/convert.ts';
import { documentOf } from '../../bson/raw.ts';
import { type Element, int32, int64, isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { describeId, describeTyped, lastPart } from './describe.ts';
import type { Modifier, ModifierTable, Outcome, UpdateContext } from './modifier.ts';

/** Arithmetic modifiers. */
export const numberModifiers: ModifierTable = {
  $inc: (operand, path) =>
    arithmetic('$inc', operand, path, 'increment', (current) => addNumbers(current, operand)),
  $mul: (operand, path) =>
    arithmetic('$mul', operand, path, 'multiply', (current) => multiplied(current, operand)),
  $bit: compileBit,
};

const zero = int32(0);

/**
 * Returns the value of a field that was missing: the operand for `$inc`, and zero of the operand's type for `$mul`.
 */
function initial(operator: string, operand: Value): Value {
  return operator === '$mul' ? (multiplied(zero, operand) as Value) : operand;
}

function arithmetic(
  operator: string,
  operand: Value,
  path: string,
  verb: string,
  reckon: (current: Value) => Value | undefined,
): Modifier {
  if (!isNumber(operand)) {
    throw new ServerError(
      'TypeMismatch',
      `Cannot ${verb} with non-numeric argument: {${lastPart(path)}: ${describe(operand)}}`,
    );
  }
  return {
    depth: 0,
    creates: () => true,
    apply(current, context) {
      if (current === undefined) return initial(operator, operand);
      if (!isNumber(current)) throw nonNumeric(operator, current, path, context);
      const result = reckon(current);
      if (result === undefined) {
        throw new ServerError(
          'BadValue',
          `Failed to apply ${operator} operations to current value (${describeTyped(current)}) for document ` +
            describeId(context.document),
        );
      }
      // 0 and -0 count as the same value.
      const same = result.type === current.type && compareNumbers(result, current) === 0;
      return same ? 'keep' : result;
    },
  };
}

/** Multiplies numbers. Returns `undefined` if a product of integers exceeds int64. */
function multiplied(a: Value, b: Value): Value | undefined {
  if (isWhole(a) && isWhole(b) && !fitsInt64(bigIntOf(a) * bigIntOf(b))) return undefined;
  return multiplyNumbers(a, b);
}

function isWhole(value: Value): boolean {
  return value.type === bsonTypes.int || value.type === bsonTypes.long;
}

function nonNumeric(
  operator: string,
  current: Value,
  path: string,
  { document }: UpdateContext,
): ServerError {
  return new ServerError(
    'TypeMismatch',
    `Cannot apply ${operator} to a value of non-numeric type. ${describeId(document)} has the field ` +
      `'${lastPart(path)}' of non-numeric type ${typeName(current.type)}`,
  );
}

const bitwise: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

interface BitStep {
  readonly operate: (a: bigint, b: bigint) => bigint;
  readonly operand: Value;
}

function compileBit(operand: Value, path: string): Modifier {
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(
      'BadValue',
      'The $bit modifier is not compatible with a ' +
        `${typeName(operand.type)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const steps = [...documentOf(operand)].map(bitStep);
  if (steps.length === 0) {
    throw new ServerError('BadValue', 'You must pass in at least one bitwise operation.');
  }
  return {
    depth: 0,
    creates: () => true,
    apply: (current, context) => bits(current, steps, path, context),
  };
}

function bitStep(element: Element): BitStep {
  const operate = Object.hasOwn(bitwise, element.name) ? bitwise[element.name] : undefined;
  if (operate === undefined) {
    throw new ServerError(
      'BadValue',
      `The $bit modifier only supports 'and', 'or', and 'xor', not '${element.name}' which is an unknown operator`,
    );
  }
  if (!isWhole(element)) {
    throw new ServerError(
      'BadValue',
      `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(element.type)}' is not supported here`,
    );
  }
  return { operate, operand: element };
}

function bits(
  current: Value | undefined,
  steps: readonly BitStep[],
  path: string,
  { document }: UpdateContext,
): Outcome {
  if (current !== undefined && !isWhole(current)) {
    throw new ServerError(
      'BadValue',
      `Cannot apply $bit to a value of non-integral type. ${describeId(document)} has the field ` +
        `${lastPart(path)} of non-integer type ${typeName(current.type)}`,
    );
  }
  const long = [current ?? zero, ...steps.map(({ operand }) => operand)].some(
    ({ type }) => type === bsonTypes.long,
  );
  const result = steps.reduce(
    (value, { operate, operand }) => operate(value, bigIntOf(operand)),
    bigIntOf(current ?? zero),
  );
  const written = long ? int64(result) : int32(Number(result));
  return current?.identical(written) === true ? 'keep' : written;
}
