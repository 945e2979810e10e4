import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { endsTransaction } from '../context/facts.ts';
import type { CommandRequest } from '../context/request.ts';
import { byType, converted } from '../shared/field-builders.ts';
import { type Fields, readerOf } from '../shared/fields.ts';
import { sessionId } from '../shared/session-id.ts';
import { checkClusterTime, clusterTime } from './cluster-time.ts';
import { checkReadConcern, type ReadConcern, readConcern } from './read-concern.ts';
import { type SessionArguments, sessionArguments } from './transaction.ts';
import { defaultWriteConcern, readWriteConcern, type WriteConcern, writeConcern } from './write-concern.ts';

export interface GenericArguments extends SessionArguments {
  readonly readConcern: ReadConcern;
  readonly writeConcern: WriteConcern;
  readonly readsFromSecondary: boolean;
  /** The id of the session in hexadecimal digits. */
  readonly sessionId?: string;
  /** The time limit in milliseconds; 0 means no limit. */
  readonly maxTimeMs?: number;
}

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

const readFields = readerOf(genericFields, { ignored: () => true });

type Given = Fields<typeof genericFields>;

/** Reads the arguments that all commands have. Throws if they are invalid. */
export function readGeneric(
  command: Command,
  { body, caller }: Pick<CommandRequest, 'body' | 'caller'>,
  cluster: GenericContext,
): GenericArguments {
  const given = readFields(body, command.name);
  checkClusterTime(given.$clusterTime, caller, cluster);
  checkApi(command, given, body);
  const inSession = sessionArguments(command, given, body);
  const inTransaction = inSession.transaction !== undefined;
  const { lsid, maxTimeMS } = given;
  return {
    readConcern: checkReadConcern(command, given.readConcern, inTransaction),
    writeConcern: writeConcernOf(command, given, cluster),
    readsFromSecondary: given.$readPreference ?? false,
    ...(lsid === undefined ? {} : { sessionId: lsid }),
    ...inSession,
    ...(maxTimeMS === undefined ? {} : { maxTimeMs: maxTimeMS }),
  };
}

type GenericContext = Pick<ClusterContext, 'topology' | 'parameters' | 'store' | 'clock'>;

function writeConcernOf(
  command: Command,
  { writeConcern: concern, autocommit }: Given,
  { topology: { members }, parameters }: GenericContext,
): WriteConcern {
  const { defaultWriteConcern: given } = parameters;
  // In a transaction, only the commit can have a write concern.
  if (
    given === undefined ||
    concern !== undefined ||
    command.data !== 'write' ||
    (autocommit !== undefined && !endsTransaction(command))
  ) {
    return readWriteConcern(command, concern, members);
  }
  return defaultWriteConcern(given, members);
}

const API_VERSION_MISSING = 4_886_600;

function checkApi(
  { name: command, stableApi, unstableFields }: Command,
  { apiVersion: version, apiStrict: strict, apiDeprecationErrors: deprecationErrors }: Given,
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
