import { bsonTypes } from '../../bson/bson-types.ts';
import { toInteger } from '../../bson/numbers/convert.ts';
import { entriesOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';

/** Selects at most `limit` entries after `skip` entries. A negative `skip` counts from the end. */
export interface Slice {
  readonly skip: number;
  readonly limit: number;
}

/**
 * Parses `n` (the first entries, or the last ones if negative) or `[skip, limit]`. Like the server, returns `undefined`
 * for every other operand, which then belongs to the expression operator `$slice`.
 */
export function parseSlice(operand: Value): Slice | undefined {
  if (isNumber(operand)) {
    const count = clamped(operand);
    return count < 0 ? { skip: count, limit: -count } : { skip: 0, limit: count };
  }
  if (operand.type !== bsonTypes.array) return undefined;
  const [skip, limit, ...others] = entriesOf(operand);
  if (skip === undefined || limit === undefined || others.length > 0) return undefined;
  if (!isNumber(skip) || !isNumber(limit)) return undefined;
  const count = clamped(limit);
  return count > 0 ? { skip: clamped(skip), limit: count } : undefined;
}

/** Clamps a number to int32. NaN becomes 0. */
function clamped(value: Value): number {
  const whole = toInteger(value);
  if (Number.isNaN(whole)) return 0;
  return Math.max(-0x80000000, Math.min(0x7fffffff, whole));
}
