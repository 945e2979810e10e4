import type { WireCaller } from '../access/caller.ts';
import { BYPASS } from '../access/rights.ts';
import { bsonTypes } from '../bson/bson-types.ts';
import type { RawDocument } from '../bson/raw.ts';
import { textOf } from '../bson/value.ts';
import type { ClusterContext } from '../commands/context/cluster.ts';
import type { Command } from '../commands/context/command.ts';
import { endsTransaction } from '../commands/context/facts.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import { type GenericArguments, readGeneric } from '../commands/generic/arguments.ts';
import { checkTransactionSupport } from '../commands/generic/transaction.ts';
import { commandTable } from '../commands/index.ts';
import { withCollectionName } from '../commands/shared/collection-by-uuid.ts';
import { isKnownOn } from '../commands/shared/known.ts';
import { checkDatabaseName } from '../commands/shared/namespace.ts';
import { sessionKey } from '../commands/shared/session-key.ts';
import { WaitForCommit } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import { ownDatabases } from '../interface/namespaces.ts';
import { commandName } from '../message/codec.ts';
import { parseSections } from '../message/documents.ts';
import { BODY } from '../message/sections.ts';

/** The database of users whom another system authenticates. It stores no data. */
const EXTERNAL = '$external';

/** A request that may run. */
export interface Admitted {
  readonly command: Command;
  /**
   * True if the command writes to the file. False for a write within a transaction, because such a write stays in
   * memory until the commit.
   */
  readonly writes: boolean;
  readonly request: CommandRequest;
  readonly generic: GenericArguments;
}

/**
 * Checks everything that does not depend on the specific command, except whether writes are possible: its name,
 * database, caller, member, and generic arguments. Throws the server's errors.
 */
export function admit(given: CommandRequest, cluster: ClusterContext): Admitted {
  const { caller } = given;
  const named = commandTable.get(given.name);
  if (named === undefined || !isKnownOn(caller.member, named, cluster)) {
    throw new ServerError('CommandNotFound', `no such command: '${given.name}'`);
  }
  const request = withCollectionName(given, cluster);
  const command = named.variant?.(request) ?? named;
  checkCaller(command, request, cluster);
  const generic = readGeneric(command, request, cluster);
  checkMember(command, generic, caller, cluster);
  const inTransaction = generic.transaction !== undefined && !endsTransaction(command);
  const writes = command.data === 'write' && !inTransaction;
  return { command, writes, request: withGeneric(request, generic), generic };
}

/** True if the command of a message does not access stored data. Expects the body section first, as drivers send it. */
export function needsNoData(sections: Uint8Array): boolean {
  if (sections[0] !== BODY) return false;
  const name = commandName(sections.subarray(1));
  return name !== undefined && commandTable.get(name)?.data === 'none';
}

function withGeneric(request: CommandRequest, generic: GenericArguments): CommandRequest {
  const { acknowledged } = generic.writeConcern;
  const { sessionId } = generic;
  if (sessionId === undefined && acknowledged) return request;
  const session = sessionId === undefined ? {} : { session: sessionKey(sessionId, request.caller.user) };
  return { ...request, unacknowledged: !acknowledged, ...session };
}

/** Parses a message. Calls `parsed` with the body of the command as soon as it is known. */
export function parseRequest(
  sections: Uint8Array,
  caller: WireCaller,
  parsed: (body: RawDocument) => void,
): CommandRequest {
  const { body, sequences } = parseSections(sections);
  parsed(body);
  const name = body.first()?.name ?? '';
  const db = body.get('$db');
  if (db === undefined) throw new ServerError(40571, 'OP_MSG requests require a $db argument');
  if (db.type !== bsonTypes.string) {
    throw new ServerError('InvalidNamespace', '$db must be a string');
  }
  const database = textOf(db);
  if (database !== EXTERNAL) checkDatabaseName(database);
  return { name, database, body, sequences, caller };
}

function checkCaller(
  command: Command,
  request: CommandRequest,
  { accounts, observer }: ClusterContext,
): void {
  if (command.database === 'admin' && request.database !== 'admin') {
    if (request.body.has('autocommit')) checkTransactionSupport(command);
    throw new ServerError('Unauthorized', `${command.name} may only be run against the admin database.`);
  }
  if (command.privileges === 'open') return;
  const { user } = request.caller;
  if (user === undefined) {
    throw new ServerError('Unauthorized', `Command ${request.name} requires authentication`);
  }
  const allowed = accounts.allows(user, command.privileges(request));
  observer?.checked(command, request, allowed);
  if (!allowed) {
    throw new ServerError(
      'Unauthorized',
      `not authorized on ${request.database} to execute command ${request.name}`,
    );
  }
}

/** Throws unless every shard has a primary. This is a simplification: some commands need only some of the shards. */
function checkShards({ topology: { members, shardNames = [] } }: ClusterContext): void {
  for (const [shard, name] of shardNames.entries()) {
    if (members.some((member) => member.shard === shard && member.state === 'PRIMARY')) continue;
    throw new ServerError(
      'FailedToSatisfyReadPreference',
      `Could not find host matching read preference { mode: "primary" } for set ${name}`,
    );
  }
}

/** Makes writes wait while `fsync` holds a lock. Throws while user writes are blocked. */
export function checkWritable(
  { command: { name, data }, request: { caller, database } }: Pick<Admitted, 'command' | 'request'>,
  cluster: ClusterContext,
): void {
  if (data !== 'write') return;
  const { writeLocks, writeBlock } = cluster.parameters;
  if (writeLocks > 0 && name !== 'fsyncUnlock') throw new WaitForCommit(A_DAY_MS);
  if (writeBlock === undefined || ownDatabases.has(database)) return;
  if (cluster.accounts.allows(caller.user, [{ action: BYPASS }])) return;
  throw new ServerError('UserWritesBlocked', `User writes blocked: ${writeBlock}`);
}

const A_DAY_MS = 86_400_000;
function checkMember(
  command: Command,
  generic: GenericArguments,
  caller: WireCaller,
  cluster: ClusterContext,
): void {
  const member = cluster.topology.members.find(({ id }) => id === caller.member);
  if (member === undefined || member.state === 'PRIMARY' || command.members === 'any') return;
  if (member.kind === 'router') {
    if (command.data === 'write' || !generic.readsFromSecondary) checkShards(cluster);
    return;
  }
  if (command.members === 'primary') throw new ServerError('NotWritablePrimary', 'not primary');
  if (!generic.readsFromSecondary) {
    throw new ServerError('NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
  }
}
