import type { WireUser } from '../../access/caller.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { int64Of } from '../../bson/value.ts';
import { compileFilter } from '../../language/filter/index.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { RunningOperation } from '../context/operations.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { isGeneric } from '../shared/generic-names.ts';
import { withoutData } from '../shared/presets.ts';
import { partsOf } from '../shared/session-key.ts';
import {
  describeConnection,
  describeCursor,
  describeIdleSession,
  describeOperation,
} from './describe-operation.ts';

export interface OperationsWanted {
  /** True to include operations of other users. */
  readonly allUsers: boolean;
  readonly idleConnections: boolean;
  readonly idleCursors: boolean;
  /** True to include sessions with an open transaction in which no statement runs. */
  readonly idleSessions: boolean;
  readonly truncateOps: boolean;
}

/** Returns the operations, idle connections, idle cursors and idle transactions of the called member. */
export function operationsOf(
  { allUsers, idleConnections, idleCursors, idleSessions, truncateOps }: OperationsWanted,
  { caller, traffic }: CommandRequest,
  cluster: ClusterContext,
): RawDocument[] {
  const mine = (user: WireUser | undefined) => allUsers || ownerOf(user) === ownerOf(caller.user);
  const here = cluster.operations
    .list()
    .filter((operation) => operation.caller.member === caller.member && mine(operation.caller.user));
  const busy = new Set(here.map((operation) => operation.caller.connectionId));
  const connections = idleConnections ? (traffic?.connections ?? []) : [];
  const running = new Set(here.map(({ request }) => request?.session));
  const transactions = idleSessions ? cluster.transactions.list() : [];
  const cursors = cursorsOf(cluster);
  const idle = idleCursors ? cursors.filter(({ reader }) => reader === undefined) : [];
  const read = new Map(cursors.map((cursor) => [cursor.reader, cursor]));
  return [
    ...here.map((operation) => describeOperation(operation, read.get(operation), truncateOps, cluster)),
    ...connections
      .filter(({ connectionId, user }) => !busy.has(connectionId) && mine(user))
      .map((connection) => describeConnection(connection, cluster)),
    ...idle
      .filter(({ cursor }) => allUsers || cursor.owner === ownerOf(caller.user))
      .map((cursor) => describeCursor(cursor, caller.member, truncateOps, cluster)),
    ...transactions
      .filter(
        ({ session }) =>
          !running.has(session) && (allUsers || partsOf(session).owner === ownerOf(caller.user)),
      )
      .map((transaction) => describeIdleSession(transaction, caller.member, cluster)),
  ].map((described) => new RawDocument(encodeDocument(described)));
}

/** Returns the open cursors. Each is returned with the operation that reads it or waits for its data. */
function cursorsOf({ cursors, operations }: ClusterContext) {
  const readers = new Map<bigint, RunningOperation>();
  for (const operation of operations.list()) {
    step();
    const id = operation.request?.name === 'getMore' ? operation.request.body.get('getMore') : undefined;
    if (id?.type === bsonTypes.long) readers.set(int64Of(id), operation);
  }
  return cursors.list().map((cursor) => {
    step();
    return { ...cursor, reader: readers.get(cursor.id) };
  });
}

function ownerOf(user: WireUser | undefined): string {
  return user === undefined ? '' : `${user.database}.${user.username}`;
}

/** Fields that are options of the command. All other fields form the filter. */
const options: ReadonlySet<string> = new Set(['currentOp', '$ownOps', '$all', '$truncateOps']);

/** The fields that the reply contains while `fsync` holds a lock. */
const locked = {
  fsyncLock: true,
  info: 'use db.fsyncUnlock() to terminate the fsync write/snapshot lock',
};

const currentOp = command({
  name: 'currentOp',
  ...withoutData,
  database: 'admin',
  privileges: ({ body }) => (body.bool('$ownOps') === true ? [] : [{ action: 'inprog' }]),
  lenient: true,
  fields: { currentOp: 'any', $ownOps: 'truth', $all: 'truth', $truncateOps: 'truth' },
  run({ $ownOps: own = false, $all: all = false, $truncateOps: truncateOps = false }, request, cluster) {
    const filter = compileFilter(
      writeDocument((writer) => {
        for (const field of request.body) {
          if (!options.has(field.name) && !isGeneric(field.name)) writer.element(field);
        }
      }),
    );
    const wanted = {
      allUsers: !own,
      idleConnections: all,
      idleCursors: all,
      idleSessions: true,
      truncateOps,
    };
    const inprog = operationsOf(wanted, request, cluster).filter((operation) => filter.matches(operation));
    return cluster.parameters.writeLocks > 0 ? { inprog, ...locked } : { inprog };
  },
});

export const currentOpCommands: readonly Command[] = [currentOp];

/** True if the operation belongs to the user. Users may kill their own operations. */
export function isOwn({ caller }: RunningOperation, user: WireUser | undefined): boolean {
  return user !== undefined && ownerOf(caller.user) === ownerOf(user);
}
