import type { Command } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { toNumber } from '../language/numbers/convert.ts';
import type { RawDocument } from '../language/raw.ts';
import { isNumber, textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { checkReadConcern, readWriteConcern, type WriteConcern } from './concerns.ts';
import { wrongType } from './fields.ts';

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

export interface GenericArguments {
  readonly writeConcern: WriteConcern;
  readonly readsFromSecondary: boolean;
  /** Hexadecimal digits of the session's id. */
  readonly session?: string;
}

/** Reads what every command may carry; throws for what does not hold. `members` is the size of the replica set. */
export function readGeneric(command: Command, body: RawDocument, members: number): GenericArguments {
  const { name } = command;
  if (body.has('txnNumber') || body.has('startTransaction') || body.has('autocommit')) {
    // The answer of a server without sessions; none are announced.
    throw new ServerError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  checkTimeLimit(name, body);
  checkApi(name, body);
  checkReadConcern(command, body.document('readConcern', name));
  const session = sessionOf(body.document('lsid', name));
  return {
    writeConcern: readWriteConcern(command, body.document('writeConcern', name), members),
    readsFromSecondary: readsFromSecondary(body.document('$readPreference', name)),
    ...(session === undefined ? {} : { session }),
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
  if (strict === true && !stable.has(command)) {
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

/** What tells sessions apart: the hexadecimal digits of `id`. */
export function sessionOf(lsid: RawDocument | undefined): string | undefined {
  const id = lsid?.get('id');
  if (id === undefined) return undefined;
  return Buffer.from(id.bytes.subarray(id.start, id.end)).toString('hex');
}
