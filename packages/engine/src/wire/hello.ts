import { Binary, type Document, Long, ObjectId, Timestamp } from 'bson';
import { timestampSeconds } from '../bson/value.ts';
import { SESSION_MINUTES } from '../commands/sessions/session-minutes.ts';
import { addressOf, isElectable, membersOfShard, setNameOf, tagsOf } from '../commands/shared/members.ts';
import { ServerError } from '../errors/server-error.ts';
import { MAX_STATEMENTS } from '../message/batch-size.ts';
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from '../message/codec.ts';
import type { ErrorLabel } from '../message/error-labels.ts';
import type { LastWrite } from '../worker/protocol.ts';
import { type ClusterView, type MemberView, UNKNOWN_PORT } from './view.ts';

/** The maximum wire version that each major version reports. */
const wireVersions: Readonly<Record<string, number>> = {
  '5.0': 13,
  '6.0': 17,
  '7.0': 21,
  '8.0': 25,
  '8.2': 27,
};
const NEWEST_WIRE_VERSION = 27;
const SIGNATURE_BYTES = 20;

export interface HelloFacts {
  readonly connectionId: number;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  readonly now: number;
  readonly lastWrite?: LastWrite | undefined;
  /** The host name in the TLS handshake. */
  readonly serverName?: string | undefined;
}

/** Returns the reply to `hello`. If `legacy` is true, returns the reply to `isMaster`. */
export function hello(view: ClusterView, memberId: string, legacy: boolean, facts: HelloFacts): Document {
  const me = view.members.find((member) => member.id === memberId);
  if (me === undefined) throw shuttingDown('this member has left its replica set');
  const isLost = me.state === 'DOWN' || (me.state === 'LEAVING' && me.kind === 'router');
  // Only existing connections can receive this error. The port of the member is closed, or is about to be closed.
  if (isLost) throw shuttingDown('this member is being stopped');
  return {
    ...roleFields(view, me, legacy, facts),
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: MAX_STATEMENTS,
    localTime: new Date(facts.now),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: facts.connectionId,
    minWireVersion: 0,
    maxWireVersion: wireVersions[view.majorVersion] ?? NEWEST_WIRE_VERSION,
    readOnly: false,
  };
}

function roleFields(view: ClusterView, me: MemberView, legacy: boolean, facts: HelloFacts): Document {
  if (me.kind === 'router') return asRouter(legacy);
  return me.port === UNKNOWN_PORT ? asUnconfigured(legacy) : asMember(view, me, legacy, facts);
}

/**
 * Returns the reply of a member that already listens, while the ports of other members of its replica set are still
 * being opened. It says that the member has no configuration yet, and drivers wait for such a member. A reply with port
 * 0 would make some drivers throw an error that the calling program cannot catch.
 */
function asUnconfigured(legacy: boolean): Document {
  return { [legacy ? 'ismaster' : 'isWritablePrimary']: false, secondary: false, isreplicaset: true };
}

/**
 * Creates an error with a label for retryable writes. Without the label, the official Node.js driver (7.9) does not
 * retry writes that are waiting for a connection.
 */
function shuttingDown(message: string): ServerError {
  const errorLabels: ErrorLabel[] = ['RetryableWriteError'];
  return new ServerError('ShutdownInProgress', message, { errorLabels });
}

/** Returns the reply of a router, which belongs to no replica set. Drivers treat each router as the whole cluster. */
function asRouter(legacy: boolean): Document {
  return { [legacy ? 'ismaster' : 'isWritablePrimary']: true, msg: 'isdbgrid' };
}

function asMember(view: ClusterView, me: MemberView, legacy: boolean, facts: HelloFacts): Document {
  const hostIndex = hostIndexOf(me, facts.serverName);
  const others = membersOfShard(view.members, me.shard)
    .filter(({ port }) => port !== UNKNOWN_PORT)
    .map((member) => withHost(member, hostIndex));
  return {
    ...hosts(others),
    setName: setNameOf(view, me.shard),
    setVersion: view.configVersion,
    ...role(view, others, me, legacy),
    me: addressOf(withHost(me, hostIndex)),
    tags: tagsOf(me),
    lastWrite: lastWrite(view.term, facts),
  };
}

/**
 * Returns the lists of members. Members with priority 0 are in `passives`, so that drivers find them. Hidden members
 * are in no list.
 */
function hosts(members: readonly MemberView[]): Document {
  const shown = members.filter(({ hidden }) => hidden !== true);
  const passives = shown.filter((member) => !isElectable(member)).map(addressOf);
  return {
    hosts: shown.filter(isElectable).map(addressOf),
    ...(passives.length === 0 ? {} : { passives }),
  };
}

function role(view: ClusterView, others: readonly MemberView[], me: MemberView, legacy: boolean): Document {
  const primary = others.find((member) => member.state === 'PRIMARY');
  const isPrimary = me.state === 'PRIMARY';
  return {
    [legacy ? 'ismaster' : 'isWritablePrimary']: isPrimary,
    secondary: me.state === 'SECONDARY',
    ...(primary === undefined ? {} : { primary: addressOf(primary) }),
    ...(isElectable(me) ? {} : { passive: true }),
    ...(me.hidden === true ? { hidden: true } : {}),
    ...(isPrimary ? { electionId: electionId(view.term) } : {}),
  };
}

/**
 * Creates an election id. It begins with the greatest positive int32, so that it is greater than any id that begins
 * with a time.
 */
function electionId(term: number): ObjectId {
  return new ObjectId(`7fffffff${term.toString(16).padStart(16, '0')}`);
}

/** Returns the fields with cluster times, which every reply of a replica set contains. Signatures are not checked. */
export function clusterTimes(facts: HelloFacts): Document {
  const newest = newestWrite(facts);
  const signature = { hash: new Binary(Buffer.alloc(SIGNATURE_BYTES)), keyId: Long.ZERO };
  return { $clusterTime: { clusterTime: newest, signature }, operationTime: newest };
}

function newestWrite({ now, lastWrite: known }: HelloFacts): Timestamp {
  return new Timestamp({ t: known?.seconds ?? timestampSeconds(now), i: known?.increment ?? 1 });
}

/**
 * Returns the time of the newest write, which is the same for all members. While the data file is not open, the
 * current time is used.
 */
function lastWrite(term: number, facts: HelloFacts): Document {
  const opTime = { ts: newestWrite(facts), t: Long.fromNumber(term) };
  // The server reports whole seconds here.
  const date = new Date(Math.floor((facts.lastWrite?.wall ?? facts.now) / 1000) * 1000);
  return { opTime, lastWriteDate: date, majorityOpTime: opTime, majorityWriteDate: date };
}

/**
 * Returns the index of the host name that the driver has used to connect. Returns 0, the index of the default name, if
 * the engine does not know the host name.
 */
function hostIndexOf({ otherHosts = [] }: MemberView, serverName: string | undefined): number {
  return otherHosts.findIndex((host) => host.toLowerCase() === serverName?.toLowerCase()) + 1;
}

/**
 * Returns the member with the host name at `hostIndex`, the index of the name by which the driver has connected. The
 * driver may not be able to reach the other names.
 */
function withHost(member: MemberView, hostIndex: number): MemberView {
  return { ...member, host: member.otherHosts?.[hostIndex - 1] ?? member.host };
}
