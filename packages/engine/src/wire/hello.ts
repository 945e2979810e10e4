import { Binary, type Document, Long, ObjectId, Timestamp } from 'bson';
import { timestampSeconds } from '../bson/value.ts';
import { SESSION_MINUTES } from '../commands/sessions/session-minutes.ts';
import { addressOf, isElectable, membersOfShard, setNameOf, tagsOf } from '../commands/shared/members.ts';
import { ServerError } from '../errors/server-error.ts';
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from '../message/codec.ts';
import type { ErrorLabel } from '../message/error-labels.ts';
import type { LastWrite } from '../worker/protocol.ts';
import type { ClusterView, MemberView } from './view.ts';

/** The newest wire version of each major version. */
const wireVersions: Readonly<Record<string, number>> = {
  '5.0': 13,
  '6.0': 17,
  '7.0': 21,
  '8.0': 25,
  '8.2': 27,
};
const NEWEST_WIRE_VERSION = 27;
const MAX_WRITE_BATCH = 100_000;
const SIGNATURE_BYTES = 20;

export interface HelloFacts {
  readonly connectionId: number;
  /** Service time in milliseconds. */
  readonly now: number;
  readonly lastWrite?: LastWrite | undefined;
  /** By which name the driver has come, where TLS tells it. */
  readonly cameBy?: string | undefined;
}

/** The answer to `hello` and its older form. */
export function hello(view: ClusterView, memberId: string, legacy: boolean, facts: HelloFacts): Document {
  const me = view.members.find((member) => member.id === memberId);
  if (me === undefined) throw shuttingDown('this member has left its replica set');
  const isLost = me.state === 'DOWN' || (me.state === 'LEAVING' && me.kind === 'router');
  // Only drivers that were there before hear it: its port is closed, or will be in a moment.
  if (isLost) throw shuttingDown('this member is being stopped');
  return {
    ...(me.kind === 'router' ? asRouter(legacy) : asMember(view, me, legacy, facts)),
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: MAX_WRITE_BATCH,
    localTime: new Date(facts.now),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: facts.connectionId,
    minWireVersion: 0,
    maxWireVersion: wireVersions[view.majorVersion] ?? NEWEST_WIRE_VERSION,
    readOnly: false,
  };
}

/**
 * The label is for the write that a driver makes a connection for: the official Node.js one takes an error of a greeting
 * that has none for one that is not to be tried again (7.9).
 */
function shuttingDown(message: string): ServerError {
  const errorLabels: ErrorLabel[] = ['RetryableWriteError'];
  return new ServerError('ShutdownInProgress', message, { errorLabels });
}

/** Routers know no replica set: drivers take any of them for the whole cluster. */
function asRouter(legacy: boolean): Document {
  return { [legacy ? 'ismaster' : 'isWritablePrimary']: true, msg: 'isdbgrid' };
}

function asMember(view: ClusterView, me: MemberView, legacy: boolean, facts: HelloFacts): Document {
  const form = formOf(me, facts.cameBy);
  const others = membersOfShard(view.members, me.shard).map((member) => as(member, form));
  return {
    ...hosts(others),
    setName: setNameOf(view, me.shard),
    setVersion: view.configVersion,
    ...role(view, others, me, legacy),
    me: addressOf(as(me, form)),
    tags: tagsOf(me),
    lastWrite: lastWrite(view.term, facts),
  };
}

/** Members that are never elected are named apart, so that drivers still find them; hidden ones not at all. */
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

/** Ids of elections start with the largest positive int32, so that they are greater than any made from a time. */
function electionId(term: number): ObjectId {
  return new ObjectId(`7fffffff${term.toString(16).padStart(16, '0')}`);
}

/** What every answer of a replica set tells of its clock. Nobody checks signatures here. */
export function clusterTimes(facts: HelloFacts): Document {
  const newest = newestWrite(facts);
  const signature = { hash: new Binary(Buffer.alloc(SIGNATURE_BYTES)), keyId: Long.ZERO };
  return { $clusterTime: { clusterTime: newest, signature }, operationTime: newest };
}

function newestWrite({ now, lastWrite: known }: HelloFacts): Timestamp {
  return new Timestamp({ t: known?.seconds ?? timestampSeconds(now), i: known?.increment ?? 1 });
}

/** All members have what one has: the newest write; where none is known yet, because nothing is open, this moment. */
function lastWrite(term: number, facts: HelloFacts): Document {
  const opTime = { ts: newestWrite(facts), t: Long.fromNumber(term) };
  // The server tells whole seconds here.
  const date = new Date(Math.floor((facts.lastWrite?.wall ?? facts.now) / 1000) * 1000);
  return { opTime, lastWriteDate: date, majorityOpTime: opTime, majorityWriteDate: date };
}

/** Which of a member's hosts a driver has come by: 0 is the first, by which it is told of where nobody knows. */
function formOf({ otherHosts = [] }: MemberView, cameBy: string | undefined): number {
  return otherHosts.findIndex((host) => host.toLowerCase() === cameBy?.toLowerCase()) + 1;
}

/** A driver that came by one form of the names may have no way to those of another. */
function as(member: MemberView, form: number): MemberView {
  return { ...member, host: member.otherHosts?.[form - 1] ?? member.host };
}
