import { bsonTypes } from '../language/bson-types.ts';
import { toNumber } from '../language/numbers/convert.ts';
import type { RawDocument } from '../language/raw.ts';
import { isNumber, textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { fields, wrongType } from './fields.ts';

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
  /** How many members have to have a write; `majority` is a number by then. */
  readonly writeMembers: number;
  readonly readsFromSecondary: boolean;
  /** Hexadecimal digits of the session's id. */
  readonly session?: string;
}

/** Reads what every command may carry; throws for what does not hold. `members` is the size of the replica set. */
export function readGeneric(command: string, body: RawDocument, members: number): GenericArguments {
  if (body.has('txnNumber') || body.has('startTransaction') || body.has('autocommit')) {
    // The answer of a server without sessions; none are announced.
    throw new ServerError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  checkTimeLimit(command, body);
  checkApi(command, body);
  checkReadConcern(body.document('readConcern', command));
  const session = sessionOf(body.document('lsid', command));
  return {
    writeMembers: writeMembersOf(body.document('writeConcern', command), members),
    readsFromSecondary: readsFromSecondary(body.document('$readPreference', command)),
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

/** The newest acknowledged write is what every level reads here, but for a snapshot that outlives the command. */
const levels = new Set(['local', 'majority', 'available', 'linearizable']);

const readConcern = fields('readConcern', {
  level: 'string',
  afterClusterTime: 'any',
  atClusterTime: 'any',
  afterOpTime: 'any',
  provenance: 'string',
});

function checkReadConcern(concern: RawDocument | undefined): void {
  if (concern === undefined) return;
  const { level, atClusterTime } = readConcern.read(concern);
  if (level === 'snapshot' || atClusterTime !== undefined) {
    throw new ServerError('InvalidOptions', 'readConcern level snapshot is only valid within a session');
  }
  if (level !== undefined && !levels.has(level)) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`,
    );
  }
}

const writeConcern = fields('writeConcern', {
  w: 'any',
  j: 'truth',
  wtimeout: 'number',
  fsync: 'truth',
  provenance: 'string',
  getLastError: 'any',
});

function writeMembersOf(concern: RawDocument | undefined, members: number): number {
  const w = concern && writeConcern.read(concern).w;
  if (w === undefined) return Math.floor(members / 2) + 1;
  if (w.type === bsonTypes.string) return namedConcern(textOf(w), members);
  return numberedConcern(w);
}

function namedConcern(name: string, members: number): number {
  if (name === 'majority') return Math.floor(members / 2) + 1;
  throw new ServerError(
    'UnknownReplWriteConcern',
    `No write concern mode named '${name}' found in replica set configuration`,
  );
}

const MOST_MEMBERS = 50;

function numberedConcern(w: Value): number {
  if (w.type !== bsonTypes.int && w.type !== bsonTypes.long && w.type !== bsonTypes.double) {
    throw new ServerError('FailedToParse', 'w has to be a number, string, or object');
  }
  const number = Math.trunc(toNumber(w));
  if (number >= 0 && number <= MOST_MEMBERS) return number;
  throw new ServerError(
    'FailedToParse',
    `w has to be a non-negative number and not greater than ${MOST_MEMBERS}; found: ${number}`,
  );
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
