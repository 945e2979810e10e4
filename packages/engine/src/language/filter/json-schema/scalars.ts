import { bsonTypes } from '../../../bson/bson-types.ts';
import { compareValues } from '../../../bson/compare.ts';
import { keyText } from '../../../bson/keys.ts';
import { decimalForArithmetic } from '../../../bson/numbers/arithmetic.ts';
import { isNaNValue } from '../../../bson/numbers/compare.ts';
import { truthOfNumber } from '../../../bson/numbers/convert.ts';
import { type Decimal, power } from '../../../bson/numbers/decimal128.ts';
import { documentOf } from '../../../bson/raw.ts';
import { boolOf, isNumber, textOf, type Value } from '../../../bson/value.ts';
import { keysOf } from '../../parts.ts';
import { compilePatternOf } from '../regex.ts';
import { countOperand, expectType, mismatch, numberOperand, wrong } from './operands.ts';
import type { Accepts, KeywordTable } from './schema.ts';

/** Keywords for scalar values; values of other types are accepted. */
export const scalarKeywords: KeywordTable = {
  minimum: (operand, { sibling }) => bound(operand, 'minimum', flag(sibling, 'exclusiveMinimum'), 1),
  maximum: (operand, { sibling }) => bound(operand, 'maximum', flag(sibling, 'exclusiveMaximum'), -1),
  exclusiveMinimum: (operand, { sibling }) => dependent(operand, 'exclusiveMinimum', sibling('minimum')),
  exclusiveMaximum: (operand, { sibling }) => dependent(operand, 'exclusiveMaximum', sibling('maximum')),
  multipleOf: (operand) => {
    numberOperand(operand, 'multipleOf');
    const divisor = decimalForArithmetic(operand);
    if (divisor.negative || divisor.isZero || divisor.kind !== 'finite') {
      throw wrong('multipleOf', 'must have a positive value');
    }
    return numbers((value) => isMultiple(decimalForArithmetic(value), divisor));
  },
  minLength: (operand) => {
    const least = countOperand(operand, 'minLength');
    return texts((text) => lengthOf(text) >= least);
  },
  maxLength: (operand) => {
    const most = countOperand(operand, 'maxLength');
    return texts((text) => lengthOf(text) <= most);
  },
  pattern: (operand, { statement }) => {
    const { regexp } = compilePatternOf(textOf(expectType(operand, 'pattern', 'string')), '');
    return texts((text) => regexp.test(text, statement));
  },
  enum: (operand, { statement }) => {
    const entries = documentOf(expectType(operand, 'enum', 'array'));
    const keys = keysOf(entries, keyText, 'a schema', statement);
    if (keys.size === 0) throw wrong('enum', 'cannot be an empty array');
    if (keys.size !== entries.count()) throw wrong('enum', 'cannot have duplicate entries');
    return (value) => keys.has(keyText(value));
  },
};

function bound(operand: Value, keyword: string, exclusive: boolean, direction: number): Accepts {
  numberOperand(operand, keyword);
  return numbers((value) => {
    if (isNaNValue(value)) return false;
    const order = compareValues(value, operand) * direction;
    return exclusive ? order > 0 : order >= 0;
  });
}

function flag(sibling: (name: string) => Value | undefined, name: string): boolean {
  const value = sibling(name);
  if (value === undefined) return false;
  if (value.type === bsonTypes.bool) return boolOf(value);
  if (!isNumber(value)) throw mismatch(name, 'a boolean');
  return truthOfNumber(value);
}

function dependent(operand: Value, keyword: string, base: Value | undefined): Accepts {
  expectType(operand, keyword, 'bool');
  if (base === undefined) throw wrong(keyword, 'must be a present with the bound that it is about');
  return () => true;
}

function numbers(accepts: (value: Value) => boolean): Accepts {
  return (value) => !isNumber(value) || accepts(value);
}

function texts(accepts: (text: string) => boolean): Accepts {
  return (value) => value.type !== bsonTypes.string || accepts(textOf(value));
}

/** Returns the length in code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function isMultiple(value: Decimal, divisor: Decimal): boolean {
  if (value.kind !== 'finite') return false;
  const exponent = Math.min(value.exponent, divisor.exponent);
  const scaled = (decimal: Decimal) => decimal.coefficient * power(decimal.exponent - exponent);
  return scaled(value) % scaled(divisor) === 0n;
}
