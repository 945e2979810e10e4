import { bsonTypes } from '../../../bson/bson-types.ts';
import { decimalForArithmetic, multiplyNumbers, subtractNumbers } from '../../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideDecimals } from '../../../bson/numbers/decimal-arithmetic.ts';
import { encodeDecimal } from '../../../bson/numbers/decimal128.ts';
import { NumberSum } from '../../../bson/numbers/sum.ts';
import { entriesOf } from '../../../bson/raw.ts';
import { decimal, double, type Element, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import type { Accumulator } from '../../expression/accumulators/accumulator.ts';
import { quotient } from '../../expression/accumulators/numeric.ts';
import type { Expression, Scope } from '../../expression/expression.ts';
import { accumulated } from './moving.ts';
import type { WindowFunction } from './partition.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

export const covarianceFunctions: FunctionTable = {
  $covariancePop: (operand, context) => covariance(operand, context, 0),
  $covarianceSamp: (operand, context) => covariance(operand, context, 1),
};

/** Computes the covariance of two numbers. Ignores documents in which either is not a number. */
function covariance(operand: Element, context: FunctionContext, lost: 0 | 1): WindowFunction {
  const { compile } = context;
  const pair = operand.type === bsonTypes.array ? entriesOf(operand).map(compile) : [compile(operand)];
  return accumulated((): Accumulator => {
    const found = new Covariance();
    return {
      add(scope) {
        const numbers = numbersOf(pair, scope);
        if (numbers !== undefined) found.add(...numbers);
      },
      result: () => found.over(lost),
    };
  }, context);
}

function numbersOf(pair: readonly Expression[], scope: Scope): readonly [Value, Value] | undefined {
  const evaluated = pair.map((expression) => expression.evaluate(scope));
  const [only] = evaluated;
  const values =
    evaluated.length === 1 && only?.type === bsonTypes.array ? (entriesOf(only) as Value[]) : evaluated;
  const [x, y] = values;
  if (values.length !== 2 || x === undefined || y === undefined) return undefined;
  return isNumber(x) && isNumber(y) ? [x, y] : undefined;
}

/** Welford's method for numbers of all types, which updates the co-moment with each pair. */
class Covariance {
  #count = 0;
  readonly #sumX = new NumberSum();
  readonly #sumY = new NumberSum();
  readonly #moment = new NumberSum();

  add(x: Value, y: Value): void {
    if (![x, y].every((value) => Number.isFinite(toNumber(value)) || isLarge(value))) {
      this.#moment.add(outOf(x, y));
      return;
    }
    const before = this.#count === 0 ? undefined : quotient(this.#sumX.result(), this.#count);
    this.#count++;
    this.#sumX.add(x);
    this.#sumY.add(y);
    // The deviation of the first pair from the mean is zero.
    if (before === undefined) return;
    const deltaY = subtractNumbers(y, quotient(this.#sumY.result(), this.#count));
    this.#moment.add(multiplyNumbers(subtractNumbers(x, before), deltaY));
  }

  over(lost: 0 | 1): Value {
    if (this.#count === 1 && lost === 0) return double(0);
    const degrees = this.#count - lost;
    if (degrees <= 0) return nullValue;
    const moment = this.#moment.result();
    if (moment.type !== bsonTypes.decimal) return double(toNumber(moment) / degrees);
    const divisor = decimalForArithmetic(double(degrees));
    return decimal(encodeDecimal(divideDecimals(decimalForArithmetic(moment), divisor)));
  }
}

/** True for a finite decimal, which may exceed the range of doubles. */
function isLarge(value: Value): boolean {
  return value.type === bsonTypes.decimal && decimalForArithmetic(value).kind === 'finite';
}

/**
 * Returns the contribution to the covariance of a pair that contains an infinity or NaN. If the pair contains
 * NaN or both infinities, the result is NaN. Otherwise, the result is the infinity in the pair.
 */
function outOf(x: Value, y: Value): Value {
  const odd = [x, y].map(toNumber).filter((number) => !Number.isFinite(number));
  const same = odd.every((number) => number === odd[0]);
  const number = double(same ? (odd[0] ?? Number.NaN) : Number.NaN);
  const isDecimal = [x, y].some(({ type }) => type === bsonTypes.decimal);
  return isDecimal ? decimal(encodeDecimal(decimalForArithmetic(number))) : number;
}
