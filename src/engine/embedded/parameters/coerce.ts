import { bsonTypes } from '../bson/bson-types.ts';
import { toNumber, truthOfNumber } from '../bson/numbers/convert.ts';
import { boolOf, isNumber, textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import type { KnownParameter } from './known.ts';

/** What is sent for a parameter, as a value of the kind that its default has. Throws `BadValue`. */
export function coerce(name: string, value: Value, known: KnownParameter): unknown {
  const { value: standard } = known;
  switch (typeof standard) {
    case 'boolean':
      return truthOf(value);
    case 'number':
      return bounded(name, integerOf(name, value), known);
    case 'bigint':
      return BigInt(bounded(name, integerOf(name, value), known));
    default:
      if (value.type === bsonTypes.string) return textOf(value);
      throw refused(name, 'a string is expected');
  }
}

/** As the server sees the truth of any value: only false, zero and null are false. */
function truthOf(value: Value): boolean {
  if (value.type === bsonTypes.bool) return boolOf(value);
  if (isNumber(value)) return truthOfNumber(value);
  return value.type !== bsonTypes.null && value.type !== bsonTypes.undefined;
}

export function integerOf(name: string, value: Value): number {
  if (value.type === bsonTypes.bool) return Number(boolOf(value));
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isInteger(number)) return number;
  throw refused(name, 'a whole number is expected');
}

function bounded(name: string, number: number, { least, most }: KnownParameter): number {
  if (least !== undefined && number < least) {
    throw refused(name, `${number} is not greater than or equal to ${least}`);
  }
  if (most !== undefined && number > most)
    throw refused(name, `${number} is not less than or equal to ${most}`);
  return number;
}

function refused(name: string, why: string): ServerError {
  return new ServerError('BadValue', `Invalid value for parameter ${name}: ${why}`);
}
