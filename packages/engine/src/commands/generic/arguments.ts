import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isAbsent, isNumber, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { endsTransaction } from '../context/facts.ts';
import { wrongType } from '../shared/fields.ts';
import { sessionIdOf } from '../shared/session-key.ts';
import { checkReadConcern, type ReadConcern } from './read-concern.ts';
import { type SessionArguments, sessionArguments } from './transaction.ts';
import { defaultWriteConcern, readWriteConcern, type WriteConcern } from './write-concern.ts';

export interface GenericArguments extends SessionArguments {
  readonly readConcern: ReadConcern;
  readonly writeConcern: WriteConcern;
  readonly readsFromSecondary: boolean;
  /** The id of the session in hexadecimal digits. */
  readonly sessionId?: string;
  /** The time limit in milliseconds; 0 means no limit. */
  readonly maxTimeMs?: number;
}

/** Reads the arguments that all commands have. Throws if they are invalid. */
export function readGeneric(command: Command, body: RawDocument, cluster: ConcernContext): GenericArguments {
  const { name } = command;
  const maxTimeMs = timeLimit(name, body);
  checkApi(command, body);
  const lsid = body.document('lsid', name);
  const sessionId = lsid && sessionIdOf(lsid, 'lsid');
  const inSession = sessionArguments(command, body, sessionId !== undefined);
  const inTransaction = inSession.transaction !== undefined;
  return {
    readConcern: checkReadConcern(command, body.document('readConcern', name), inTransaction),
    writeConcern: writeConcernOf(command, body, cluster),
    readsFromSecondary: readsFromSecondary(body.document('$readPreference', name)),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...inSession,
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
  };
}

type ConcernContext = Pick<ClusterContext, 'topology' | 'parameters'>;

function writeConcernOf(
  command: Command,
  body: RawDocument,
  { topology: { members }, parameters }: ConcernContext,
): WriteConcern {
  const concern = body.document('writeConcern', command.name);
  const { defaultWriteConcern: given } = parameters;
  // In a transaction, only the commit can have a write concern.
  if (
    given === undefined ||
    concern !== undefined ||
    command.data !== 'write' ||
    (body.has('autocommit') && !endsTransaction(command))
  ) {
    return readWriteConcern(command, concern, members);
  }
  return defaultWriteConcern(given, members);
}

const MAX_INT32 = 0x7fffffff;

function timeLimit(command: string, body: RawDocument): number | undefined {
  const value = body.get('maxTimeMS');
  if (value === undefined || isAbsent(value)) return undefined;
  if (!isNumber(value)) throw wrongType(value, `${command}.maxTimeMS`, ['long', 'int', 'decimal', 'double']);
  const limit = toNumber(value);
  // An int64 is always in range. Do not compare it as a double, because the greatest one would be rounded to 2^63.
  const is64Bit = value.type === bsonTypes.long || (limit >= -(2 ** 63) && limit < 2 ** 63);
  if (!Number.isInteger(limit) || !is64Bit) {
    throw new ServerError('FailedToParse', `maxTimeMS is not a 64-bit integer: ${limit}`);
  }
  if (limit >= 0 && limit <= MAX_INT32) return limit;
  throw new ServerError('BadValue', `${limit} value for maxTimeMS is out of range [0, ${MAX_INT32}]`);
}

const API_VERSION_MISSING = 4_886_600;

function checkApi({ name: command, stableApi, unstableFields }: Command, body: RawDocument): void {
  const version = body.string('apiVersion', command);
  const strict = body.bool('apiStrict', command);
  const deprecationErrors = body.bool('apiDeprecationErrors', command);
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

function readsFromSecondary(preference: RawDocument | undefined): boolean {
  const mode = preference?.get('mode');
  return mode !== undefined && mode.type === bsonTypes.string && textOf(mode) !== 'primary';
}
