import { bsonTypes } from '../../../bson/bson-types.ts';
import { decimalForArithmetic, multiplyNumbers, subtractNumbers } from '../../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideDecimals } from '../../../bson/numbers/decimal-arithmetic.ts';
import { encodeDecimal } from '../../../bson/numbers/decimal128.ts';
import { NumberSum } from '../../../bson/numbers/sum.ts';
import { entriesOf } from '../../../bson/raw.ts';
import {
  decimal,
  double,
  type Element,
  int32,
  isNumber,
  nullValue,
  type Value,
} from '../../../bson/value.ts';
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
      add: (scope) => found.add(numbersOf(pair, scope)),
      removeFirst: () => found.removeFirst(),
      result: () => found.over(lost),
    };
  }, context);
}

type Pair = readonly [Value, Value];

function numbersOf(pair: readonly Expression[], scope: Scope): Pair | undefined {
  const evaluated = pair.map((expression) => expression.evaluate(scope));
  const [only] = evaluated;
  const values =
    evaluated.length === 1 && only?.type === bsonTypes.array ? (entriesOf(only) as Value[]) : evaluated;
  const [x, y] = values;
  if (values.length !== 2 || x === undefined || y === undefined) return undefined;
  return isNumber(x) && isNumber(y) ? [x, y] : undefined;
}

/** The covariance of the numbers in a window. */
class Covariance {
  /** A pair for each document, in order. Undefined for a document that is ignored or has left the window. */
  readonly #pairs: (Pair | undefined)[] = [];
  /** The number of documents that have left the window. */
  #left = 0;
  #moment = new CoMoment();
  /** The number of pairs in the window that contain an infinity or NaN. */
  #odd = 0;

  add(pair: Pair | undefined): void {
    this.#pairs.push(pair);
    if (pair === undefined) return;
    if (areFinite(pair)) this.#moment.add(pair);
    else this.#odd++;
  }

  removeFirst(): void {
    const pair = this.#pairs[this.#left];
    this.#pairs[this.#left++] = undefined;
    if (pair === undefined) return;
    if (!areFinite(pair)) this.#odd--;
    else if (this.#moment.count === 1 || this.#moment.isDecimal) this.#begin();
    else this.#moment.remove(pair);
  }

  over(lost: 0 | 1): Value {
    const { count } = this.#moment;
    if (count === 1 && lost === 0) return double(0);
    const degrees = count - lost;
    if (degrees <= 0) return nullValue;
    const moment = this.#total();
    if (moment.type !== bsonTypes.decimal) return double(toNumber(moment) / degrees);
    const divisor = decimalForArithmetic(double(degrees));
    return decimal(encodeDecimal(divideDecimals(decimalForArithmetic(moment), divisor)));
  }

  /** Computes the co-moment anew, since decimals that were rounded cannot be subtracted. */
  #begin(): void {
    this.#moment = new CoMoment();
    for (const pair of this.#inWindow()) if (areFinite(pair)) this.#moment.add(pair);
  }

  #total(): Value {
    const moment = this.#moment.result();
    if (this.#odd === 0) return moment;
    const total = new NumberSum();
    total.add(moment);
    for (const pair of this.#inWindow()) if (!areFinite(pair)) total.add(outOf(pair));
    return total.result();
  }

  *#inWindow(): Iterable<Pair> {
    for (let place = this.#left; place < this.#pairs.length; place++) {
      const pair = this.#pairs[place];
      if (pair !== undefined) yield pair;
    }
  }
}

/**
 * Welford's method for numbers of all types, which updates the co-moment with each pair. When a pair is removed, the
 * rounding errors of its addition remain, as in the reference server.
 */
class CoMoment {
  count = 0;
  isDecimal = false;
  readonly #sumX = new NumberSum();
  readonly #sumY = new NumberSum();
  readonly #moment = new NumberSum();

  add([x, y]: Pair): void {
    this.isDecimal ||= isDecimal([x, y]);
    const before = this.count === 0 ? undefined : quotient(this.#sumX.result(), this.count);
    this.count++;
    this.#sumX.add(x);
    this.#sumY.add(y);
    // The deviation of the first pair from the mean is zero.
    if (before === undefined) return;
    const deltaY = subtractNumbers(y, quotient(this.#sumY.result(), this.count));
    this.#moment.add(multiplyNumbers(subtractNumbers(x, before), deltaY));
  }

  /** Removes one of at least two pairs. */
  remove([x, y]: Pair): void {
    const deltaY = subtractNumbers(y, quotient(this.#sumY.result(), this.count));
    this.count--;
    this.#sumX.add(negated(x));
    this.#sumY.add(negated(y));
    const deltaX = subtractNumbers(x, quotient(this.#sumX.result(), this.count));
    this.#moment.add(negated(multiplyNumbers(deltaX, deltaY)));
  }

  result(): Value {
    return this.#moment.result();
  }
}

function isDecimal(pair: Pair): boolean {
  return pair.some(({ type }) => type === bsonTypes.decimal);
}

function negated(value: Value): Value {
  return subtractNumbers(int32(0), value);
}

function areFinite(pair: Pair): boolean {
  return pair.every((value) => Number.isFinite(toNumber(value)) || isLarge(value));
}

/** True for a finite decimal, which may exceed the range of doubles. */
function isLarge(value: Value): boolean {
  return value.type === bsonTypes.decimal && decimalForArithmetic(value).kind === 'finite';
}

/**
 * Returns the contribution to the covariance of a pair that contains an infinity or NaN. If the pair contains
 * NaN or both infinities, the result is NaN. Otherwise, the result is the infinity in the pair.
 */
function outOf(pair: Pair): Value {
  const odd = pair.map(toNumber).filter((number) => !Number.isFinite(number));
  const same = odd.every((number) => number === odd[0]);
  const number = double(same ? (odd[0] ?? Number.NaN) : Number.NaN);
  return isDecimal(pair) ? decimal(encodeDecimal(decimalForArithmetic(number))) : number;
}
