import type { WireUser } from '../../access/caller.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
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
  /** Include operations of other users. */
  readonly allUsers: boolean;
  readonly idleConnections: boolean;
  readonly idleCursors: boolean;
  /** Include sessions with an open transaction in which no statement runs. */
  readonly idleSessions: boolean;
  readonly truncateOps: boolean;
}

/** The operations, idle connections, idle cursors and idle transactions of the called member. */
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
  const cursors = idleCursors ? cluster.cursors.idle() : [];
  return [
    ...here.map((operation) => describeOperation(operation, truncateOps, cluster)),
    ...connections
      .filter(({ connectionId, user }) => !busy.has(connectionId) && mine(user))
      .map((connection) => describeConnection(connection, cluster)),
    ...cursors
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

function ownerOf(user: WireUser | undefined): string {
  return user === undefined ? '' : `${user.database}.${user.username}`;
}

/** Fields of the command; all others form the filter. */
const options: ReadonlySet<string> = new Set(['currentOp', '$ownOps', '$all', '$truncateOps']);

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
    return {
      inprog: operationsOf(wanted, request, cluster).filter((operation) => filter.matches(operation)),
    };
  },
});

export const currentOpCommands: readonly Command[] = [currentOp];

/** Whether the operation belongs to the user, who may then kill it. */
export function isOwn({ caller }: RunningOperation, user: WireUser | undefined): boolean {
  return user !== undefined && ownerOf(caller.user) === ownerOf(user);
}
