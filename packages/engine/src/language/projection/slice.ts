import { bsonTypes } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { toInteger } from '../../bson/numbers/convert.ts';
import { entriesOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isNullish } from '../expression/operator.ts';

/** Selects at most `limit` entries after `skip` entries. A negative `skip` counts from the end. */
export interface Slice {
  readonly skip: number;
  readonly limit: number;
}

/**
 * Parses `n` (the first entries, or the last ones if negative) or `[skip, limit]`. Returns `undefined` if the
 * operand belongs to the expression operator `$slice`.
 */
export function parseSlice(operand: Value): Slice | undefined {
  if (isNumber(operand)) {
    const count = clamped(operand);
    return count < 0 ? { skip: count, limit: -count } : { skip: 0, limit: count };
  }
  if (operand.type !== bsonTypes.array) {
    throw new ServerError(
      28724,
      `First argument to $slice must be an array, but is of type: ${describe(operand)}`,
    );
  }
  const [skip, limit, ...others] = entriesOf(operand);
  if (skip === undefined || limit === undefined || others.length > 0 || !isNumber(skip)) return undefined;
  if (isNullish(limit)) return undefined;
  if (!isNumber(limit)) {
    throw new ServerError(
      28724,
      `Invalid $slice syntax. The given syntax { $slice: ${describe(operand)} } did not match`,
    );
  }
  const count = clamped(limit);
  if (count <= 0) {
    throw new ServerError(28724, `Invalid $slice syntax: the limit must be positive, it was ${count}`);
  }
  return { skip: clamped(skip), limit: count };
}

/** Clamps a number to int32. NaN becomes 0. */
function clamped(value: Value): number {
  const whole = toInteger(value);
  if (Number.isNaN(whole)) return 0;
  return Math.max(-0x80000000, Math.min(0x7fffffff, whole));
}
