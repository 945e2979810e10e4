import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { WriteConcernDefault } from '../../parameters/parameters.ts';
import type { CommandFacts } from '../context/facts.ts';
import type { ClusterMember } from '../context/topology.ts';
import type { UnsatisfiedConcern } from '../context/unsatisfied-concern.ts';
import { byType, nested, notNull } from '../shared/field-builders.ts';
import { type Fields, type FieldType, truncated } from '../shared/fields.ts';
import { tagsOf } from '../shared/members.ts';
import { provenance } from './read-concern.ts';

/**
 * A write concern requires that a number of members have a write before it is acknowledged. All running members share
 * the same data, so each write reaches all of them at once.
 */

export interface WriteConcern {
  /** True unless `w` is 0. */
  readonly acknowledged: boolean;
  /** Set if the write concern can never be satisfied. The reply reports this, although the write succeeds. */
  readonly unsatisfied?: UnsatisfiedConcern;
  /** The members that must be running before the write is acknowledged. */
  readonly waits?: ReplicationWait;
}

export interface ReplicationWait {
  isMet(members: readonly ClusterMember[]): boolean;
  /** The timeout in milliseconds. The value 0 means no timeout. */
  readonly timeoutMs: number;
  /** The write concern error in the reply if the timeout has passed. */
  readonly timedOut: UnsatisfiedConcern;
}

const MAX_MEMBERS = 50;
const MAX_INT32 = 0x7fffffff;
const acknowledged: WriteConcern = { acknowledged: true };

/** The name of a mode, a number of members, or tags such as `{region: 2}`. Null counts as an empty name. */
const w = notNull(
  byType(
    {
      string: textOf,
      object: readTags,
      number: readMembers,
      null: (): string => '',
      undefined: (): string => '',
    },
    () => new ServerError('FailedToParse', 'w has to be a number, string, or object'),
  ),
);

/** A time limit in milliseconds. Values that are not numbers count as 0, which means no limit. */
const wtimeout: FieldType<number> = { read: readTimeout };

const concernFields = {
  w,
  j: 'truth',
  wtimeout,
  fsync: 'truth',
  provenance,
  getLastError: 'any',
} as const;

export const writeConcern = nested(concernFields, { path: 'writeConcern' });

export type GivenWriteConcern = Fields<typeof concernFields>;

/**
 * The write concern modes that every cluster defines, each with a tag and a number. A mode is satisfied if the members
 * that have the write have at least this number of distinct values of the tag.
 */
const modes: Readonly<Record<string, readonly [tag: string, values: number]>> = {
  twoRegions: ['region', 2],
  threeRegions: ['region', 3],
  twoProviders: ['provider', 2],
};

export function parseConcern(concern: RawDocument): GivenWriteConcern {
  return writeConcern.read(concern.toValue(), 'writeConcern', '');
}

/** Returns the meaning of a write concern. `members` are the members of the replica set. */
export function readWriteConcern(
  command: Pick<CommandFacts, 'name' | 'writeConcern'>,
  concern: GivenWriteConcern | undefined,
  members: readonly ClusterMember[],
): WriteConcern {
  if (concern === undefined) return acknowledged;
  if (!command.writeConcern) {
    throw new ServerError('InvalidOptions', `Command ${command.name} does not support writeConcern`);
  }
  const { w: given, j, wtimeout: timeoutMs = 0 } = concern;
  if (given === undefined) return acknowledged;
  if (typeof given === 'string') return named(given, members, timeoutMs);
  if (typeof given !== 'number') return tagged(given, members, timeoutMs);
  if (given <= 1) return { acknowledged: given > 0 || j === true };
  return waiting({ w: given, timeoutMs }, members, (running) => dataBearing(running).length >= given);
}

/** Returns the write concern of a write that does not specify one. */
export function defaultWriteConcern(
  given: WriteConcernDefault | undefined,
  members: readonly ClusterMember[],
): WriteConcern {
  if (given === undefined || given.w === 1) return acknowledged;
  const { w, wtimeout } = given;
  if (typeof w === 'string') return named(w, members, wtimeout);
  return waiting({ w, timeoutMs: wtimeout }, members, (running) => dataBearing(running).length >= w);
}

interface RequestedConcern {
  readonly w: unknown;
  readonly timeoutMs: number;
}

/**
 * Returns a write concern that waits until enough members are running. `isMet` returns true if a set of members
 * satisfies the concern.
 */
function waiting(
  { w, timeoutMs }: RequestedConcern,
  members: readonly ClusterMember[],
  isMet: (members: readonly ClusterMember[]) => boolean,
): WriteConcern {
  if (!isMet(members)) return { acknowledged: true, unsatisfied: notEnoughMembers };
  const running = (all: readonly ClusterMember[]) => all.filter(({ state }) => state !== 'DOWN');
  if (isMet(running(members))) return acknowledged;
  const provided = { w, wtimeout: timeoutMs, provenance: 'clientSupplied' };
  return {
    acknowledged: true,
    waits: {
      isMet: (all) => isMet(running(all)),
      timeoutMs,
      timedOut: {
        code: 64,
        codeName: 'WriteConcernFailed',
        errmsg: 'waiting for replication timed out',
        errInfo: { wtimeout: true, writeConcern: provided },
      },
    },
  };
}

const notEnoughMembers: UnsatisfiedConcern = {
  code: 100,
  codeName: 'UnsatisfiableWriteConcern',
  errmsg: 'Not enough data-bearing nodes',
};

/** Returns the data-bearing members of the first shard, because all shards have the same layout. */
function dataBearing(members: readonly ClusterMember[]): readonly ClusterMember[] {
  return members.filter(({ kind, shard }) => kind !== 'router' && shard === 0);
}

function named(mode: string, members: readonly ClusterMember[], timeoutMs: number): WriteConcern {
  // The mode `majority` is always satisfied, because a write requires a primary, and a primary requires a
  // majority.
  if (mode === 'majority') return acknowledged;
  const found = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (found !== undefined) {
    const [tag, values] = found;
    return waiting({ w: mode, timeoutMs }, members, (running) => valuesOf(tag, running) >= values);
  }
  const errmsg = `No write concern mode named '${mode}' found in replica set configuration`;
  return { acknowledged: true, unsatisfied: { code: 79, codeName: 'UnknownReplWriteConcern', errmsg } };
}

function readTags(value: Value): RawDocument {
  const tags = documentOf(value);
  if (!tags.isEmpty && [...tags].every(isNumber)) return tags;
  throw new ServerError('FailedToParse', 'tagged write concern requires tags with numbers');
}

/** Returns a write concern that requires a number of distinct values for each of its tags. */
function tagged(tags: RawDocument, members: readonly ClusterMember[], timeoutMs: number): WriteConcern {
  const wanted = [...tags].map((tag) => [tag.name, toNumber(tag)] as const);
  return waiting({ w: tags, timeoutMs }, members, (running) =>
    wanted.every(([tag, values]) => valuesOf(tag, running) >= values),
  );
}

function valuesOf(tag: string, members: readonly ClusterMember[]): number {
  const values = dataBearing(members).map((member) => tagsOf(member)[tag]);
  return new Set(values.filter((value) => value !== undefined)).size;
}

function readTimeout(value: Value): number {
  if (!isNumber(value)) return 0;
  // NaN counts as 0, which means no timeout.
  if (!(toNumber(value) > MAX_INT32)) return Math.max(truncated(value), 0);
  throw new ServerError('FailedToParse', `wtimeout must be a 32-bit integer, but found: ${toNumber(value)}`);
}

function readMembers(value: Value): number {
  const number = Number.isFinite(toNumber(value)) ? truncated(value) : -1;
  if (number >= 0 && number <= MAX_MEMBERS) return number;
  throw new ServerError(
    'FailedToParse',
    `w has to be a non-negative number and not greater than ${MAX_MEMBERS}; found: ${toNumber(value)}`,
  );
}
