import type { WireCaller } from '../../access/caller.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { relaxedJson } from '../../bson/extended-json.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { operationKinds } from '../../observe/operation-kinds.ts';
import type { Progress } from '../../storage/model/running-statement.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { ListedCursor } from '../context/cursors.ts';
import type { RunningOperation } from '../context/operations.ts';
import type { CommandRequest } from '../context/request.ts';
import type { TransactionFacts } from '../context/transactions.ts';
import { addressOf } from '../shared/members.ts';
import { lsidOf, partsOf } from '../shared/session-key.ts';

/** This file creates the entries of `currentOp` and `$currentOp` in the server's format. */

type Described = Readonly<Record<string, unknown>>;

/**
 * Returns the namespace of a command. This is the collection in the first field of the command. Without a collection,
 * it is `$cmd` of the database.
 */
function namespaceOf({ database, body, name }: CommandRequest): string {
  const named = name === 'getMore' ? body.get('collection') : body.first();
  if (name === 'aggregate' && named?.type !== bsonTypes.string) return `${database}.$cmd.aggregate`;
  return named?.type === bsonTypes.string ? `${database}.${textOf(named)}` : `${database}.$cmd`;
}

/** With `truncateOps`, a command that is longer than this is replaced by the start of its text. */
const TRUNCATED_BYTES = 1_024;

function commandOf(body: RawDocument, truncate: boolean): unknown {
  if (!truncate || body.length <= TRUNCATED_BYTES) return body;
  const text = relaxedJson(body);
  const comment = body.get('comment');
  return {
    $truncated: `${text.slice(0, TRUNCATED_BYTES)}...`,
    ...(comment === undefined ? {} : { comment }),
  };
}

function callerOf({ connectionId, remote, appName, user }: WireCaller): Described {
  return {
    desc: `conn${connectionId}`,
    connectionId,
    client: remote,
    ...(appName === undefined ? {} : { appName }),
    isFromUserConnection: true,
    threaded: true,
    ...(user === undefined ? {} : { effectiveUsers: [{ user: user.username, db: user.database }] }),
  };
}

export function describeOperation(
  operation: RunningOperation,
  cursor: ListedCursor | undefined,
  truncate: boolean,
  cluster: ClusterContext,
): Described {
  const { caller, request, arrived, state } = operation;
  const micros = Math.max(Math.round((cluster.clock.elapsed() - arrived) * 1000), 0);
  const locked = waitsForLock(operation, cluster);
  return {
    type: 'op',
    host: hostOf(caller.member, cluster),
    ...callerOf(caller),
    active: true,
    currentOpTime: timeOf(cluster.clock.now()),
    opid: operation.id,
    ...(request?.session === undefined ? {} : { lsid: lsidOf(request.session) }),
    secs_running: BigInt(Math.floor(micros / 1_000_000)),
    microsecs_running: BigInt(micros),
    op: operation.command === undefined ? 'command' : operationKinds[operation.command.operation].op,
    ns: request === undefined ? '' : namespaceOf(request),
    redacted: false,
    command: request === undefined ? {} : commandOf(request.body, truncate),
    ...(cursor === undefined
      ? {}
      : { cursor: { ...cursorFacts(cursor, truncate), operationUsingCursorId: BigInt(operation.id) } }),
    ...(operation.progress === undefined ? {} : describeProgress(operation.progress)),
    ...(operation.killed === undefined ? {} : { killPending: true }),
    numYields: operation.yields,
    locks: locked ? { ReplicationStateTransition: 'w', Global: 'w' } : {},
    waitingForLock: locked || state === 'queued',
    lockStats: {},
    waitingForFlowControl: false,
    flowControlStats: {},
  };
}

/** True if the operation waits for the lock that `fsync` holds. */
function waitsForLock({ state, command }: RunningOperation, { parameters }: ClusterContext): boolean {
  return state === 'waiting' && command?.data === 'write' && parameters.writeLocks > 0;
}

function cursorFacts(listed: ListedCursor, truncate: boolean): Described {
  const { id, cursor, opened, used, batches, returned, command } = listed;
  return {
    cursorId: id,
    createdDate: new Date(opened),
    lastAccessDate: new Date(used),
    nDocsReturned: BigInt(returned),
    nBatchesReturned: BigInt(batches),
    noCursorTimeout: cursor.noTimeout,
    tailable: cursor.awaitsData ?? false,
    awaitData: cursor.awaitsData ?? false,
    ...(command === undefined ? {} : { originatingCommand: commandOf(command, truncate) }),
  };
}

function describeProgress({ done, total }: Progress): Described {
  const building = 'Index Build: scanning collection';
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return { msg: `${building} ${building}: ${done}/${total} ${percent}%`, progress: { done, total } };
}

export function describeCursor(
  listed: ListedCursor,
  member: string,
  truncate: boolean,
  cluster: ClusterContext,
): Described {
  const { cursor } = listed;
  const [database = '', username] = split(cursor.owner);
  return {
    type: 'idleCursor',
    host: hostOf(member, cluster),
    ns: cursor.namespace,
    ...(cursor.session === undefined ? {} : { lsid: lsidOf(cursor.session) }),
    cursor: cursorFacts(listed, truncate),
    ...(username === undefined ? {} : { effectiveUsers: [{ user: username, db: database }] }),
  };
}

/** Describes a session with an open transaction in which no statement runs. */
export function describeIdleSession(
  { session, number, caller, open, lifetime }: TransactionFacts,
  member: string,
  cluster: ClusterContext,
): Described {
  const [database = '', username] = split(partsOf(session).owner);
  const began = cluster.clock.now() - open;
  const micros = BigInt(Math.round(open * 1000));
  return {
    type: 'idleSession',
    host: hostOf(member, cluster),
    desc: 'inactive transaction',
    client: caller.remote,
    connectionId: caller.connectionId,
    ...(caller.appName === undefined ? {} : { appName: caller.appName }),
    active: false,
    ...(username === undefined ? {} : { effectiveUsers: [{ user: username, db: database }] }),
    lsid: lsidOf(session),
    transaction: {
      parameters: { txnNumber: number, autocommit: false, readConcern: { level: 'snapshot' } },
      startWallClockTime: timeOf(began),
      timeOpenMicros: micros,
      timeActiveMicros: 0n,
      timeInactiveMicros: micros,
      expiryTime: timeOf(began + lifetime),
    },
    waitingForLock: false,
    locks: {},
    lockStats: {},
    waitingForFlowControl: false,
    flowControlStats: {},
  };
}

export function describeConnection(caller: WireCaller, cluster: ClusterContext): Described {
  return {
    type: 'op',
    host: hostOf(caller.member, cluster),
    ...callerOf(caller),
    active: false,
    currentOpTime: timeOf(cluster.clock.now()),
  };
}

function split(owner: string): string[] {
  const at = owner.indexOf('.');
  return at === -1 ? [] : [owner.slice(0, at), owner.slice(at + 1)];
}

function hostOf(memberId: string, { topology: { members } }: ClusterContext): string {
  const member = members.find(({ id }) => id === memberId);
  return member === undefined ? '' : addressOf(member);
}

function timeOf(now: number): string {
  return new Date(now).toISOString().replace('Z', '+00:00');
}
