import type { Command, UnsatisfiedConcern } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { toNumber } from '../language/numbers/convert.ts';
import { documentOf, type RawDocument } from '../language/raw.ts';
import { isNumber, textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { fields, wholeOf } from './fields.ts';

/** Read and write concern: how far an operation must have gone before it is seen or answered. */

/** All of them but `snapshot` read the newest acknowledged write. */
const levels: ReadonlySet<string> = new Set(['local', 'majority', 'available', 'linearizable', 'snapshot']);

/** Outside of transactions. */
const snapshotReads: ReadonlySet<string> = new Set(['find', 'aggregate', 'distinct']);

const provenances: ReadonlySet<string> = new Set([
  'clientSupplied',
  'implicitDefault',
  'customDefault',
  'getLastErrorDefaults',
  'internalWriteDefault',
]);

const readConcern = fields('readConcern', {
  level: 'string',
  afterClusterTime: 'timestamp',
  atClusterTime: 'timestamp',
  afterOpTime: 'any',
  provenance: 'string',
});

/** What a read asks to see that is not simply the newest. */
export interface ReadConcern {
  /** One moment, the same for several reads. */
  readonly snapshot?: { readonly at?: Value };
  /** Not without what was written until then. */
  readonly after?: Value;
}

/** `transaction`: a snapshot is what it reads anyway. */
export function checkReadConcern(
  command: Command,
  concern: RawDocument | undefined,
  transaction: boolean,
): ReadConcern {
  if (concern === undefined) return {};
  const { level = 'local', atClusterTime, afterClusterTime, provenance } = readConcern.read(concern);
  checkEnumeration('readConcern.level', level, levels);
  if (provenance !== undefined) checkEnumeration('readConcern.provenance', provenance, provenances);
  // What a cursor reads was said when it was opened.
  if (command.name === 'getMore') return {};
  const taken = level === 'snapshot' ? snapshotReads.has(command.name) : command.readConcern;
  if (level !== 'local' && !taken && !transaction) {
    throw new ServerError(
      'InvalidOptions',
      `Command ${command.name} does not support { readConcern: { level: "${level}" } }`,
    );
  }
  if (atClusterTime !== undefined && level !== 'snapshot') {
    throw invalid("readConcern 'atClusterTime' may only be specified with level 'snapshot'");
  }
  if (atClusterTime !== undefined && afterClusterTime !== undefined) {
    throw invalid("readConcern 'atClusterTime' and 'afterClusterTime' cannot both be specified");
  }
  if (level === 'linearizable' && afterClusterTime !== undefined) {
    throw invalid("readConcern 'afterClusterTime' cannot be specified with level 'linearizable'");
  }
  return {
    ...(afterClusterTime === undefined ? {} : { after: afterClusterTime }),
    ...(level !== 'snapshot' ? {} : { snapshot: atClusterTime === undefined ? {} : { at: atClusterTime } }),
  };
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}

function checkEnumeration(field: string, value: string, known: ReadonlySet<string>): void {
  if (known.has(value)) return;
  throw new ServerError(
    'BadValue',
    `Enumeration value '${value}' for field '${field}' is not a valid value.`,
  );
}

export interface WriteConcern {
  /** False where nobody wants to know what came of it. */
  readonly acknowledged: boolean;
  /** What the answer says besides: the write is done, but not by as many as were asked for. */
  readonly unsatisfied?: UnsatisfiedConcern;
}

const writeConcern = fields('writeConcern', {
  w: 'value',
  j: 'truth',
  wtimeout: 'any',
  fsync: 'truth',
  provenance: 'string',
  getLastError: 'any',
});

const MOST_MEMBERS = 50;
const MAX_INT32 = 0x7fffffff;

/** `members` is the size of the replica set; all of its members have what one of them has. */
export function readWriteConcern(
  command: Command,
  concern: RawDocument | undefined,
  members: number,
): WriteConcern {
  if (concern === undefined) return { acknowledged: true };
  if (!command.writes && !command.writeConcern) {
    throw new ServerError('InvalidOptions', `Command ${command.name} does not support writeConcern`);
  }
  const { w, j, wtimeout, provenance } = writeConcern.read(concern);
  if (provenance !== undefined) checkEnumeration('writeConcern.provenance', provenance, provenances);
  if (wtimeout !== undefined && isNumber(wtimeout) && toNumber(wtimeout) > MAX_INT32) {
    throw new ServerError(
      'FailedToParse',
      `wtimeout must be a 32-bit integer, but found: ${toNumber(wtimeout)}`,
    );
  }
  if (w === undefined) return { acknowledged: true };
  // Null counts as a name that is empty.
  if (w.type === bsonTypes.null) return named('');
  if (w.type === bsonTypes.string) return named(textOf(w));
  if (w.type === bsonTypes.object) return tagged(documentOf(w));
  const number = numbered(w);
  if (number > members) return { acknowledged: true, unsatisfied: notEnoughMembers };
  return { acknowledged: number > 0 || j === true };
}

const notEnoughMembers: UnsatisfiedConcern = {
  code: 100,
  codeName: 'UnsatisfiableWriteConcern',
  errmsg: 'Not enough data-bearing nodes',
};

function named(mode: string): WriteConcern {
  if (mode === 'majority') return { acknowledged: true };
  const errmsg = `No write concern mode named '${mode}' found in replica set configuration`;
  return { acknowledged: true, unsatisfied: { code: 79, codeName: 'UnknownReplWriteConcern', errmsg } };
}

/** So many members with each of some tags; the members here have none. */
function tagged(tags: RawDocument): WriteConcern {
  if (tags.isEmpty || [...tags].some((tag) => !isNumber(tag))) {
    throw new ServerError('FailedToParse', 'tagged write concern requires tags with numbers');
  }
  return { acknowledged: true, unsatisfied: notEnoughMembers };
}

function numbered(w: Value): number {
  if (!isNumber(w)) throw new ServerError('FailedToParse', 'w has to be a number, string, or object');
  const number = Number.isFinite(toNumber(w)) ? wholeOf(w) : -1;
  if (number >= 0 && number <= MOST_MEMBERS) return number;
  throw new ServerError(
    'FailedToParse',
    `w has to be a non-negative number and not greater than ${MOST_MEMBERS}; found: ${toNumber(w)}`,
  );
}
