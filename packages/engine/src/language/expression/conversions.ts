import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { copySpan, readInt32 } from '../../bson/bytes.ts';
import { decimalForArithmetic } from '../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { encodeDecimal } from '../../bson/numbers/decimal128.ts';
import {
  bool,
  boolOf,
  date,
  decimal,
  double,
  int32,
  int64,
  int64Of,
  isNumber,
  objectId,
  string,
  textOf,
  trueValue,
  type Value,
} from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { dateText } from '../time/format.ts';
import { ParseError, parseDate } from '../time/parse.ts';
import { type BinaryOptions, binaryText, numberInBinary, toBinary } from './binary-conversion.ts';
import { isTrue } from './boolean.ts';
import { coercedText, doubleText } from './coerce.ts';
import { ConversionError, unsupported } from './conversion-error.ts';
import { integerOf } from './integer-conversion.ts';
import { parseDecimal, parseDouble, parseWhole } from './number-text.ts';
import { MAX_BYTES } from './string.ts';

type Convert = (value: Value, options: BinaryOptions) => Value;

/** Converts a non-null value to another type. Throws `ConversionError`. */
export function convert(value: Value, to: TypeName, options: BinaryOptions): Value {
  const apply = table[to];
  if (apply === undefined) throw unsupported(value, to);
  return apply(value, options);
}

const table: Partial<Record<TypeName, Convert>> = {
  bool: (value) => (isNumber(value) || value.type === bsonTypes.bool ? bool(isTrue(value)) : trueValue),
  double: toDouble,
  int: (value, options) => int32(Number(wholeFrom(value, 'int', options))),
  long: (value, options) => int64(wholeFrom(value, 'long', options)),
  decimal: toDecimal,
  string: toText,
  objectId: toObjectId,
  date: toDate,
  binData: toBinary,
};

function toDouble(value: Value, options: BinaryOptions): Value {
  if (isNumber(value)) return double(finiteDouble(value));
  switch (value.type) {
    case bsonTypes.bool:
      return double(boolOf(value) ? 1 : 0);
    case bsonTypes.date:
      return double(Number(int64Of(value)));
    case bsonTypes.string:
      return double(parseDouble(textOf(value)));
    case bsonTypes.binData:
      return double(numberInBinary(value, 'double', options) as number);
    default:
      throw unsupported(value, 'double');
  }
}

/** Converts a number to a double. Throws `ConversionError` for a finite decimal beyond the range of doubles. */
function finiteDouble(value: Value): number {
  const number = toNumber(value);
  if (value.type === bsonTypes.decimal && !Number.isFinite(number) && !Number.isNaN(number)) {
    if (decimalForArithmetic(value).kind === 'finite') {
      throw new ConversionError('Conversion would overflow target type in $convert with no onError value');
    }
  }
  return number;
}

function toDecimal(value: Value): Value {
  if (value.type === bsonTypes.decimal) return value;
  if (isNumber(value)) return decimal(encodeDecimal(decimalForArithmetic(value)));
  switch (value.type) {
    case bsonTypes.bool:
      return decimal(encodeDecimal(decimalForArithmetic(int32(boolOf(value) ? 1 : 0))));
    case bsonTypes.date:
      return decimal(encodeDecimal(decimalForArithmetic(int64(int64Of(value)))));
    case bsonTypes.string:
      return decimal(encodeDecimal(parseDecimal(textOf(value))));
    default:
      throw unsupported(value, 'decimal');
  }
}

function wholeFrom(value: Value, to: 'int' | 'long', options: BinaryOptions): bigint {
  if (isNumber(value)) return integerOf(value, to);
  switch (value.type) {
    case bsonTypes.bool:
      return boolOf(value) ? 1n : 0n;
    case bsonTypes.string:
      return parseWhole(textOf(value), to);
    case bsonTypes.binData:
      return BigInt(numberInBinary(value, to, options));
    case bsonTypes.date:
      if (to === 'long') return int64Of(value);
  }
  throw unsupported(value, to);
}

function toText(value: Value, options: BinaryOptions): Value {
  switch (typeName(value.type)) {
    case 'string':
      return value;
    case 'bool':
      return string(String(boolOf(value)));
    case 'objectId':
      return string(Buffer.from(copySpan(value.bytes, value.start, value.end)).toString('hex'));
    case 'binData':
      return limited(binaryText(value, options));
    case 'double':
      return string(doubleText(toNumber(value)));
    case 'int':
    case 'long':
    case 'decimal':
      return string(coercedText(value));
    case 'date':
      return string(checkedDateText(int64Of(value)));
    default:
      throw unsupported(value, 'string');
  }
}

/** Throws if the year does not have four digits. `onError` does not catch this error. */
function checkedDateText(ms: bigint): string {
  if (ms >= YEAR_0 && ms < YEAR_10000) return dateText(ms);
  throw new ServerError(
    18537,
    'Could not convert date to string: date component was outside the supported range of 0-9999',
  );
}

const YEAR_0 = -62_167_219_200_000n;
const YEAR_10000 = 253_402_300_800_000n;

/** Throws if the text is too large for a document. */
function limited(text: string): Value {
  if (text.length < MAX_BYTES) return string(text);
  throw new ConversionError(`Resulting string value exceeds maximum size (${MAX_BYTES} bytes)`);
}

function toObjectId(value: Value): Value {
  if (value.type === bsonTypes.objectId) return value;
  if (value.type !== bsonTypes.string) throw unsupported(value, 'objectId');
  const text = textOf(value);
  if (!/^[0-9a-fA-F]{24}$/.test(text)) {
    throw new ConversionError(`Failed to parse objectId '${text}' in $convert with no onError value`);
  }
  return objectId(new Uint8Array(Buffer.from(text, 'hex')));
}

function toDate(value: Value): Value {
  switch (typeName(value.type)) {
    case 'date':
      return value;
    case 'string':
      return date(parsed(textOf(value)));
    case 'long':
    case 'double':
    case 'decimal':
      return date(integerOf(value, 'long'));
    case 'timestamp':
      return date(BigInt(readInt32(value.bytes, value.start + 4) >>> 0) * 1000n);
    case 'objectId':
      return date(
        BigInt(Buffer.from(copySpan(value.bytes, value.start, value.start + 4)).readInt32BE()) * 1000n,
      );
    default:
      throw unsupported(value, 'date');
  }
}

function parsed(text: string): bigint {
  try {
    return parseDate(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ConversionError(error.message);
  }
}
