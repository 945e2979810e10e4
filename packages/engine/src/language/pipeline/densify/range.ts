import { bsonTypes } from '../../../bson/bson-types.ts';
import { compareValues } from '../../../bson/compare.ts';
import { addNumbers } from '../../../bson/numbers/arithmetic.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { entriesOf } from '../../../bson/raw.ts';
import { date, type Element, int32, int64Of, isNumber, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { addUnits, type TimeUnit } from '../../time/unit.ts';
import { utc } from '../../time/zone.ts';
import { readOptions } from '../options.ts';
import { parseUnit } from '../window/frame.ts';

/** The values that a field must have. */
export interface Range {
  /**
   * The bounds of the values: `full` means the least and greatest values of all documents, and `partition`
   * those of each partition. A pair contains an inclusive lower bound and an exclusive upper bound.
   */
  readonly bounds: 'full' | 'partition' | readonly [Value, Value];
  /** Returns the value after `value`. */
  next(value: Value): Value;
  /** Throws if the range cannot contain the value. */
  check(value: Value): void;
}

export function parseRange(spec: Element): Range {
  const options = readOptions('$densify.range', spec, { step: 'number!', bounds: 'any!', unit: 'string' });
  const step = options.step as Element;
  if (compareValues(step, int32(0)) <= 0) {
    throw new ServerError(
      5733401,
      'The step parameter in a range statement must be a strictly positive numeric value',
    );
  }
  const whole = exactInteger(step);
  if (options.unit !== undefined && whole === undefined) {
    throw new ServerError(
      6586400,
      'The step parameter in a range statement must be a whole number when densifying a date range',
    );
  }
  const unit = options.unit && parseUnit(options.unit);
  const bounds = boundsOf(options.bounds as Element, step, unit);
  return {
    bounds,
    next: unit === undefined ? (value) => plus(value, step) : (value) => later(value, unit, whole as bigint),
    check: (value) => checkValue(value, unit),
  };
}

function plus(value: Value, step: Value): Value {
  const sum = addNumbers(value, step);
  if (sum === undefined) throw new ServerError('Overflow', '$densify counts past the range of an int64');
  return sum;
}

function later(value: Value, unit: TimeUnit, amount: bigint): Value {
  return date(addUnits(int64Of(value), unit, amount, utc));
}

function checkValue(value: Value, unit: TimeUnit | undefined): void {
  if (!isNumber(value) && value.type !== bsonTypes.date) {
    throw new ServerError(5733201, 'Densify field type must be numeric or a date');
  }
  if (isNumber(value) === (unit === undefined)) return;
  throw new ServerError(
    6053600,
    unit === undefined
      ? 'Encountered date densify value in collection when step does not have a date unit.'
      : 'Encountered numeric densify value in collection when step has a date unit.',
  );
}

function boundsOf(spec: Element, step: Value, unit: TimeUnit | undefined): Range['bounds'] {
  if (spec.type === bsonTypes.string) {
    const text = textOf(spec);
    if (text === 'full' || text === 'partition') return text;
    throw new ServerError(5946802, "Bounds string must either be 'full' or 'partition'");
  }
  if (spec.type !== bsonTypes.array) {
    throw new ServerError(
      5733404,
      "The bounds in a range statement must be the string 'full', 'partition', or an ascending array of " +
        'two numbers or two dates',
    );
  }
  const [lower, upper, ...others] = entriesOf(spec);
  if (lower === undefined || upper === undefined || others.length > 0) {
    throw new ServerError(5733403, 'A bounding array in a range statement must have exactly two elements');
  }
  checkBounds(lower, upper, step, unit);
  return [lower, upper];
}

function checkBounds(lower: Value, upper: Value, step: Value, unit: TimeUnit | undefined): void {
  const bothTypes = 'A bounding array must contain either both dates or both numeric types';
  if (compareValues(lower, upper) > 0) {
    throw new ServerError(
      5733402,
      'A bounding array must be an ascending array of either two dates or two numbers',
    );
  }
  if (isNumber(lower)) {
    if (unit !== undefined) throw new ServerError(5733409, 'Numeric bounds may not have unit parameter');
    if (!isNumber(upper)) throw new ServerError(5733406, bothTypes);
    if (lower.type !== upper.type || lower.type !== step.type) {
      throw new ServerError(5876900, 'Upper bound, lower bound, and step must all have the same type');
    }
    return;
  }
  if (lower.type !== bsonTypes.date)
    throw new ServerError(5946800, 'Explicit bounds must be numeric or dates');
  if (upper.type !== bsonTypes.date) throw new ServerError(5733405, bothTypes);
  if (unit === undefined) throw new ServerError(5733410, 'A bounding array of dates must specify a unit');
}
