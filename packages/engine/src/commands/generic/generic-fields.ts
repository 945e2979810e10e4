import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CommandFacts } from '../context/facts.ts';
import { byType, converted } from '../shared/field-builders.ts';
import { type Fields, readerOf } from '../shared/fields.ts';
import { sessionId } from '../shared/session-id.ts';
import { clusterTime } from './cluster-time.ts';
import { readConcern } from './read-concern.ts';
import { writeConcern } from './write-concern.ts';

/** A time limit in milliseconds. */
const timeLimit = byType({ number: readTimeLimit });

const MAX_INT32 = 0x7fffffff;

function readTimeLimit(value: Value): number {
  const limit = toNumber(value);
  // An int64 is always in range. Do not compare it as a double, because the greatest one would be rounded to 2^63.
  const is64Bit = value.type === bsonTypes.long || (limit >= -(2 ** 63) && limit < 2 ** 63);
  if (!Number.isInteger(limit) || !is64Bit) {
    throw new ServerError('FailedToParse', `maxTimeMS is not a 64-bit integer: ${limit}`);
  }
  if (limit >= 0 && limit <= MAX_INT32) return limit;
  throw new ServerError('BadValue', `${limit} value for maxTimeMS is out of range [0, ${MAX_INT32}]`);
}

/** The declared arguments of all commands. The arguments that are not declared have no effect here. */
const genericFields = {
  maxTimeMS: timeLimit,
  apiVersion: 'string',
  apiStrict: 'truth',
  apiDeprecationErrors: 'truth',
  lsid: sessionId,
  txnNumber: 'long',
  stmtId: 'int32',
  autocommit: 'bool',
  startTransaction: 'bool',
  readConcern,
  writeConcern,
  $clusterTime: clusterTime,
  $readPreference: converted('object', readsFromSecondary),
} as const;

/** Reads the arguments that all commands have. Throws if one of them has a wrong type. */
export const readGenericFields = readerOf(genericFields, { ignored: () => true });

export type GivenGeneric = Fields<typeof genericFields>;

const API_VERSION_MISSING = 4_886_600;

/** Throws if the arguments about the stable API are invalid, or if they exclude the command or one of its fields. */
export function checkApi(
  { name: command, stableApi, unstableFields }: Pick<CommandFacts, 'name' | 'stableApi' | 'unstableFields'>,
  { apiVersion: version, apiStrict: strict, apiDeprecationErrors: deprecationErrors }: GivenGeneric,
  body: RawDocument,
): void {
  if (version === undefined) {
    if (strict === undefined && deprecationErrors === undefined) return;
    throw new ServerError(
      API_VERSION_MISSING,
      'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion',
    );
  }
  if (version !== '1') throw new ServerError('APIVersionError', 'API version must be "1"');
  if (strict === true && !stableApi) {
    throw new ServerError(
      'APIStrictError',
      `Provided apiStrict:true, but the command ${command} is not in API Version 1`,
    );
  }
  const unstable = strict === true ? unstableFields.find((field) => body.has(field)) : undefined;
  if (unstable !== undefined) {
    throw new ServerError(
      'APIStrictError',
      `BSON field '${command}.${unstable}' is not allowed with apiStrict:true.`,
    );
  }
}

function readsFromSecondary(preference: RawDocument): boolean {
  const mode = preference.get('mode');
  return mode !== undefined && mode.type === bsonTypes.string && textOf(mode) !== 'primary';
}
