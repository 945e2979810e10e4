import { bsonTypes } from '../bson/bson-types.ts';
import { toInteger, truthOfNumber } from '../bson/numbers/convert.ts';
import { boolOf, isNumber, textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import type { KnownParameter } from './known.ts';

/**
 * Converts a value to the type of the parameter's default. Throws `BadValue`, except for
 * `automationServiceDescriptor`.
 */
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
      if (name === SERVICE_DESCRIPTOR) return serviceDescriptor(value);
      if (value.type === bsonTypes.string) return textOf(value);
      throw refused(name, 'a string is expected');
  }
}

const SERVICE_DESCRIPTOR = 'automationServiceDescriptor';
const DESCRIPTOR_BYTES = 64;

/**
 * Validates the value of `automationServiceDescriptor`. The general rules for parameters do not cover it.
 * Throws `TypeMismatch` or `Overflow`.
 */
function serviceDescriptor(value: Value): string {
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      'TypeMismatch',
      `Value for parameter ${SERVICE_DESCRIPTOR} must be of type 'string'`,
    );
  }
  const text = textOf(value);
  if (Buffer.byteLength(text) <= DESCRIPTOR_BYTES) return text;
  throw new ServerError(
    'Overflow',
    `Value for parameter ${SERVICE_DESCRIPTOR} must be no more than ${DESCRIPTOR_BYTES} bytes`,
  );
}

/**
 * Returns the truth value of any value, as in the server. Only false, zero, null and the deprecated type `undefined`
 * count as false.
 */
function truthOf(value: Value): boolean {
  if (value.type === bsonTypes.bool) return boolOf(value);
  if (isNumber(value)) return truthOfNumber(value);
  return value.type !== bsonTypes.null && value.type !== bsonTypes.undefined;
}

/**
 * Converts a number or boolean to an integer. Truncates doubles and rounds decimals. Throws `BadValue` for
 * other values.
 */
export function integerOf(name: string, value: Value): number {
  if (value.type === bsonTypes.bool) return Number(boolOf(value));
  const number = isNumber(value) ? toInteger(value) : Number.NaN;
  if (Number.isFinite(number)) return number + 0;
  throw refused(name, 'a number is expected');
}

export const MAX_INT32 = 2 ** 31 - 1;

function bounded(
  name: string,
  number: number,
  { value, least, most = limitOf(value) }: KnownParameter,
): number {
  if (least !== undefined && number < least) {
    throw refused(name, `${number} is not greater than or equal to ${least}`);
  }
  if (number > most) throw refused(name, `${number} is not less than or equal to ${most}`);
  return number;
}

function limitOf(standard: unknown): number {
  return typeof standard === 'bigint' ? Number.MAX_SAFE_INTEGER : MAX_INT32;
}

function refused(name: string, why: string): ServerError {
  return new ServerError('BadValue', `Invalid value for parameter ${name}: ${why}`);
}
