import { bsonTypes } from '../../bson/bson-types.ts';
import { copySpan, readInt32 } from '../../bson/bytes.ts';
import { int64Of, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { FormatError } from '../time/format.ts';
import { utc, type Zone, zoneOf } from '../time/zone.ts';
import { type Argument, isNullish, typeOf } from './operator.ts';

/** Returns the milliseconds of a date, a timestamp or an ObjectId. Throws `code` for other types. */
export function dateArgument(value: Value, code = 16006): bigint {
  switch (value.type) {
    case bsonTypes.date:
      return int64Of(value);
    case bsonTypes.timestamp:
      return BigInt(readInt32(value.bytes, value.start + 4) >>> 0) * 1000n;
    case bsonTypes.objectId:
      return BigInt(Buffer.from(copySpan(value.bytes, value.start, value.start + 4)).readInt32BE()) * 1000n;
    default:
      throw new ServerError(code, `can't convert from BSON type ${typeOf(value)} to Date`);
  }
}

/** Returns UTC if the argument is omitted, and `undefined` if it is null. */
export function zoneArgument(given: boolean, value: Argument): Zone | undefined {
  if (!given) return utc;
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(40517, `timezone must evaluate to a string, found ${typeOf(value)}`);
  }
  const zone = zoneOf(textOf(value));
  if (zone === undefined) {
    throw new ServerError(40485, `unrecognized time zone identifier: "${textOf(value)}"`);
  }
  return zone;
}

const formatCodes = { unknown: 18536, unmatched: 18535, year: 18537 } as const;

/** Translates a `FormatError` that `run` throws to the server's error code. */
export function withFormatCodes<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) throw new ServerError(formatCodes[error.reason], error.message);
    throw error;
  }
}
