import type { Command } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { toNumber } from '../language/numbers/convert.ts';
import type { RawDocument } from '../language/raw.ts';
import { int64Of, isNumber, textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { checkReadConcern, readWriteConcern, type WriteConcern } from './concerns.ts';
import { wrongType } from './fields.ts';
import { sessionIdOf } from './session-key.ts';

/** Arguments that every command takes; those that this engine reads are checked in `checkGeneric`. */
const names = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  '$readPreference',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  '$audit',
  '$client',
  '$configServerState',
  '$topologyTime',
  'maxTimeMSOpOnly',
  'mayBypassWriteBlocking',
  'rawData',
  'requestGossipRoutingCache',
  'serialization_context',
  'databaseVersion',
  'shardVersion',
]);

export function isGeneric(name: string): boolean {
  return names.has(name);
}

/** Commands of the stable API, version 1. */
const stable = new Set(
  `abortTransaction aggregate authenticate bulkWrite collMod commitTransaction count create createIndexes delete drop
  dropDatabase dropIndexes endSessions explain find findAndModify getMore hello insert killCursors listCollections
  listDatabases listIndexes ping refreshSessions update`.split(/\s+/),
);

export function isStable(command: string): boolean {
  return stable.has(command);
}

export interface GenericArguments {
  readonly writeConcern: WriteConcern;
  readonly readsFromSecondary: boolean;
  /** Hexadecimal digits of the session's id. */
  readonly sessionId?: string;
  /** The number of a write that may be sent again. */
  readonly txnNumber?: bigint;
}

/** Reads what every command may carry; throws for what does not hold. `members` is the size of the replica set. */
export function readGeneric(command: Command, body: RawDocument, members: number): GenericArguments {
  const { name } = command;
  checkTimeLimit(name, body);
  checkApi(name, body);
  checkReadConcern(command, body.document('readConcern', name));
  const lsid = body.document('lsid', name);
  const sessionId = lsid && sessionIdOf(lsid, 'lsid');
  const txnNumber = writeNumber(command, body, sessionId !== undefined);
  return {
    writeConcern: readWriteConcern(command, body.document('writeConcern', name), members),
    readsFromSecondary: readsFromSecondary(body.document('$readPreference', name)),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(txnNumber === undefined ? {} : { txnNumber }),
  };
}

const MAX_INT32 = 0x7fffffff;

function checkTimeLimit(command: string, body: RawDocument): void {
  const value = body.get('maxTimeMS');
  if (value === undefined || value.type === bsonTypes.null) return;
  if (!isNumber(value)) throw wrongType(value, `${command}.maxTimeMS`, ['long', 'int', 'decimal', 'double']);
  const limit = toNumber(value);
  if (!Number.isInteger(limit)) {
    throw new ServerError('FailedToParse', `maxTimeMS has non-integral value: ${limit}`);
  }
  if (limit >= 0 && limit <= MAX_INT32) return;
  throw new ServerError('BadValue', `${limit} value for maxTimeMS is out of range [0, ${MAX_INT32}]`);
}

function checkApi(command: string, body: RawDocument): void {
  const version = body.string('apiVersion', command);
  const strict = body.bool('apiStrict', command);
  if (version === undefined) {
    if (strict === undefined && body.bool('apiDeprecationErrors', command) === undefined) return;
    throw new ServerError('APIVersionError', 'Provided apiStrict or apiDeprecationErrors without apiVersion');
  }
  if (version !== '1') throw new ServerError('APIVersionError', 'API version must be "1"');
  if (strict === true && !isStable(command)) {
    throw new ServerError(
      'APIStrictError',
      `Provided apiStrict:true, but the command ${command} is not in API Version 1`,
    );
  }
}

function readsFromSecondary(preference: RawDocument | undefined): boolean {
  const mode = preference?.get('mode');
  return mode !== undefined && mode.type === bsonTypes.string && textOf(mode) !== 'primary';
}

/** The number of a write in its session, and what has to come with it. */
function writeNumber(
  { name, retryable }: Command,
  body: RawDocument,
  inSession: boolean,
): bigint | undefined {
  const autocommit = body.bool('autocommit', name);
  const number = body.get('txnNumber');
  if (number === undefined) {
    if (autocommit === undefined && !body.has('startTransaction')) return undefined;
    const field = autocommit === undefined ? 'startTransaction' : 'autocommit';
    throw invalidOptions(`'${field}' field requires a transaction number to also be specified`);
  }
  if (number.type !== bsonTypes.long) throw wrongType(number, `${name}.txnNumber`, ['long']);
  if (!inSession) throw invalidOptions('Transaction number requires a session ID to also be specified');
  const txnNumber = int64Of(number);
  if (txnNumber < 0n) throw invalidOptions('Transaction number cannot be negative');
  if (autocommit === true) throw invalidOptions("'autocommit' field must be false if specified");
  if (autocommit === false) {
    // The answer of a server that has no transactions of several statements.
    throw new ServerError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  if (body.has('startTransaction')) {
    throw invalidOptions("'startTransaction' field requires 'autocommit' field to also be specified");
  }
  if (retryable) return txnNumber;
  throw new ServerError(
    NOT_RETRYABLE,
    'txnNumber may only be provided for multi-document transactions and retryable write commands. ' +
      `autocommit:false was not provided, and ${name} is not a retryable write command.`,
  );
}

const NOT_RETRYABLE = 50768;

function invalidOptions(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
