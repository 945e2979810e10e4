import { authorize } from '../access/authorize.ts';
import type { ClusterContext, Command, CommandRequest, WireCaller } from '../command.ts';
import { type GenericArguments, readGeneric } from '../commands/generic.ts';
import { commandTable } from '../commands/index.ts';
import { checkDatabaseName } from '../commands/namespace.ts';
import { sessionKey } from '../commands/session-key.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { parseSections } from '../wire/message.ts';

/** A request that may be run. */
export interface Admitted {
  readonly command: Command;
  readonly request: CommandRequest;
  readonly generic: GenericArguments;
}

/**
 * Takes a message apart and checks all that does not depend on the command: its name, its database, who sent it, to
 * which member, and the arguments that every command takes. Throws what the server answers.
 */
export function admit(sections: Uint8Array, caller: WireCaller, cluster: ClusterContext): Admitted {
  const request = parseRequest(sections, caller);
  const named = commandTable.get(request.name);
  if (named === undefined) {
    throw new ServerError('CommandNotFound', `no such command: '${request.name}'`);
  }
  const command = named.variant?.(request) ?? named;
  checkCaller(command, request);
  const generic = readGeneric(command, request.body, cluster.members.length);
  checkMember(command, generic, caller, cluster);
  return { command, request: withGeneric(request, generic), generic };
}

function withGeneric(request: CommandRequest, generic: GenericArguments): CommandRequest {
  const { acknowledged } = generic.writeConcern;
  const { sessionId } = generic;
  if (sessionId === undefined && acknowledged) return request;
  const session = sessionId === undefined ? {} : { session: sessionKey(sessionId, request.caller.user) };
  return { ...request, unacknowledged: !acknowledged, ...session };
}

function parseRequest(sections: Uint8Array, caller: WireCaller): CommandRequest {
  const { body, sequences } = parseSections(sections);
  const name = body.first()?.name ?? '';
  const db = body.get('$db');
  if (db === undefined) throw new ServerError(40571, 'OP_MSG requests require a $db argument');
  if (db.type !== bsonTypes.string) {
    throw new ServerError('InvalidNamespace', '$db must be a string');
  }
  const database = textOf(db);
  checkDatabaseName(database);
  return { name, database, body, sequences, caller };
}

function checkCaller(command: Command, request: CommandRequest): void {
  if (command.adminOnly && request.database !== 'admin') {
    throw new ServerError('Unauthorized', `${command.name} may only be run against the admin database.`);
  }
  if (command.privileges === 'open') return;
  const { user } = request.caller;
  if (user === undefined) {
    throw new ServerError('Unauthorized', `Command ${request.name} requires authentication`);
  }
  if (!authorize(user, command.privileges(request))) {
    throw new ServerError(
      'Unauthorized',
      `not authorized on ${request.database} to execute command ${request.name}`,
    );
  }
}

function checkMember(
  command: Command,
  generic: GenericArguments,
  caller: WireCaller,
  cluster: ClusterContext,
): void {
  const member = cluster.members.find(({ id }) => id === caller.member);
  if (member === undefined || member.state === 'PRIMARY' || command.anyMember) return;
  if (command.writes) throw new ServerError('NotWritablePrimary', 'not primary');
  if (!generic.readsFromSecondary) {
    throw new ServerError('NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
  }
}
