import { type Document, deserialize } from 'bson';
import type { WireUser } from '../access/caller.ts';
import { accountChanges } from '../commands/accounts/changes.ts';
import { ServerError } from '../errors/server-error.ts';
import type { UserSpec } from '../interface/engine.ts';
import { MalformedMessage } from '../message/sections.ts';
import type { LastWrite } from '../worker/protocol.ts';
import { negotiate } from './compression.ts';
import type { FailPoints } from './fail-point.ts';
import { checkGenericArguments } from './generic-arguments.ts';
import { hello } from './hello.ts';
import { type Login, X509_MECHANISM } from './login.ts';
import { awaitOf, type TopologyVersion } from './topology-version.ts';
import type { ClusterView } from './view.ts';

/**
 * This file contains the commands that a connection thread runs itself. They concern only the connection, or must be
 * fast while the query thread is busy. The query thread of the cluster runs all other commands.
 */

/**
 * Maximum size of a command that this thread runs itself. A `hello` command or a step of a login has less than 2 KB.
 */
const LOCAL_COMMAND_BYTES = 65_536;

interface ConnectionCall {
  /** The main name of the command, even if the message contains an alias. */
  readonly name: string;
  readonly body: Document;
  /** The encoded body. */
  readonly bytes: Uint8Array;
  readonly view: ClusterView;
  readonly memberId: string;
  readonly connectionId: number;
  readonly login: Login;
  /** The host name in the TLS handshake. */
  readonly serverName: string | undefined;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  readonly now: number;
  readonly topology: TopologyVersion;
  readonly lastWrite?: LastWrite | undefined;
  /** Records an audit event if the cluster has an audit stream. */
  audit(atype: string, param: object, result: number): void;
  /**
   * The error with which a `hello` command fails because its client metadata is invalid or repeated; undefined if there
   * is none.
   */
  readonly metadataError: ServerError | undefined;
  readonly failPoints: FailPoints;
  /** Finds a user, including users that commands have created. */
  findUser(database: string, username: string): UserSpec | undefined;
}

export type Answer = (call: ConnectionCall) => Document;

export interface ConnectionCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  /** True if drivers send the command to open a connection, and again to monitor the member. */
  readonly greets: boolean;
  /** `answered` if the command exists on clusters that a service manages, and `unknown` if it does not. */
  readonly managed: 'answered' | 'unknown';
  /** True if the command is part of API Version 1. */
  readonly stableApi: boolean;
  readonly answer: Answer;
}

const ordinary = { aliases: [], greets: false, managed: 'answered', stableApi: true } as const;

export const connectionCommands: readonly ConnectionCommand[] = [
  { name: 'hello', ...ordinary, greets: true, answer: answerHello },
  {
    name: 'isMaster',
    ...ordinary,
    aliases: ['ismaster'],
    greets: true,
    stableApi: false,
    answer: answerHello,
  },
  {
    name: 'saslStart',
    ...ordinary,
    answer: ({ body, login }) => startLogin(login, body, databaseOf(body)),
  },
  {
    name: 'saslContinue',
    ...ordinary,
    answer: ({ body, login }) => login.continue(body.conversationId, body.payload),
  },
  { name: 'logout', ...ordinary, stableApi: false, answer: logout },
  { name: 'authenticate', ...ordinary, answer: authenticate },
  {
    name: 'configureFailPoint',
    ...ordinary,
    managed: 'unknown',
    stableApi: false,
    answer: configureFailPoint,
  },
];

const table: ReadonlyMap<string, ConnectionCommand> = new Map(
  connectionCommands.flatMap((command) =>
    [command.name, ...command.aliases].map((name) => [name, { ...command, answer: checked(command) }]),
  ),
);

function checked(command: ConnectionCommand): Answer {
  return (call) => {
    const { bytes, login, now, lastWrite } = call;
    checkGenericArguments(command, bytes, { user: login.user, now, lastWrite });
    return command.answer(call);
  };
}

/**
 * Runs the login command that existed before SASL. The server has removed all mechanisms of this command except
 * certificates.
 */
function authenticate({ login, body }: ConnectionCall): Document {
  if (body.mechanism === X509_MECHANISM) return login.certify(databaseOf(body), body.user);
  return login.reject(databaseOf(body), body.user, body.mechanism);
}

function logout({ login, body, audit }: ConnectionCall): Document {
  const before = login.user;
  // `logout` logs out a user only on the database that the user belongs to.
  if (before?.database === databaseOf(body)) {
    audit('logout', { initialUsers: auditedUser(before), updatedUsers: [] }, 0);
    login.logout();
  }
  return {};
}

function auditedUser({ username, database }: WireUser): object[] {
  return [{ user: username, db: database }];
}

/**
 * Commands that are rejected on managed clusters, because only the administration API may change the users of such
 * clusters.
 */
const rejectedWhenManaged: ReadonlySet<string> = new Set(accountChanges);

/**
 * Throws `MalformedMessage` if this thread runs the command and the command is too large. This thread decodes the whole
 * command at once, while the other connections of the thread wait.
 */
export function checkLocalSize(name: string, { length }: Uint8Array, view: ClusterView): void {
  if (length <= LOCAL_COMMAND_BYTES) return;
  const handler = localHandler(name, view);
  if (handler === undefined || handler === rejectUserCommand) return;
  throw new MalformedMessage(`a ${name} of ${length} bytes: at most ${LOCAL_COMMAND_BYTES} are allowed`);
}

/** Returns the function that runs a command in this thread. Returns undefined if the query thread runs the command. */
export function localHandler(name: string, { managed }: ClusterView): Answer | undefined {
  const command = table.get(name);
  if (command !== undefined && (command.managed === 'answered' || !managed)) return command.answer;
  return managed && rejectedWhenManaged.has(name) ? rejectUserCommand : undefined;
}

/**
 * Returns the function that runs a command in an OP_QUERY message. Only `hello` and its aliases may use such messages.
 */
export function queryHandler(name: string, view: ClusterView): Answer {
  return (isHello(name) ? localHandler(name, view) : undefined) ?? rejectQuery;
}

/** Decodes the command for its handler. A rejected command can be large, so it is not decoded. */
export function decodedFor(handler: Answer, bytes: Uint8Array): Document {
  return handler === rejectUserCommand || handler === rejectQuery ? {} : deserialize(bytes);
}

export function isHello(name: string): boolean {
  return table.get(name)?.greets === true;
}

/** Needs no login, as in the server, since the command exists only in engines for tests. */
function configureFailPoint({ body, memberId, failPoints }: ConnectionCall): Document {
  return failPoints.configure(memberId, body);
}

function rejectQuery({ name }: ConnectionCall): never {
  throw new ServerError('UnsupportedOpQueryCommand', `Unsupported OP_QUERY command: ${name}`);
}

function rejectUserCommand({ name, login }: ConnectionCall): never {
  if (login.user === undefined) {
    throw new ServerError('Unauthorized', `Command ${name} requires authentication`);
  }
  throw new ServerError('CommandNotAllowed', `CMD_NOT_ALLOWED: ${name}`);
}

function answerHello(call: ConnectionCall): Document {
  const { name, body, view, login, topology } = call;
  if (body.startTransaction === true) {
    throw new ServerError(
      'OperationNotSupportedInTransaction',
      `Cannot run '${name}' as the first operation of a multi-document transaction.`,
    );
  }
  if (call.metadataError !== undefined) throw call.metadataError;
  // Called only because it throws if the options are invalid. The connection has already waited for the topology.
  awaitOf(body, topology.current);
  const compression = negotiate(body.compression);
  return {
    ...(body.helloOk === true ? { helloOk: true } : {}),
    topologyVersion: topology.toDocument(),
    ...hello(view, call.memberId, name !== 'hello', call),
    ...(compression.length === 0 ? {} : { compression }),
    ...offeredMechanisms(body.saslSupportedMechs, call),
    ...speculate(login, body.speculativeAuthenticate),
  };
}

/**
 * Returns the mechanisms of a user. Returns both mechanisms for an unknown user. Nearly all users have both, so the
 * reply does not reveal whether a user exists.
 */
function offeredMechanisms(name: unknown, { findUser }: ConnectionCall): Document {
  if (name === undefined) return {};
  if (typeof name !== 'string') throw notAUser(name);
  const at = name.indexOf('.');
  if (at < 0) throw new ServerError('BadValue', 'UserName must contain a "." separated database.user pair');
  const user = findUser(name.slice(0, at), name.slice(at + 1));
  const scram = user === undefined ? { sha1: true, sha256: true } : user.scram;
  const offered = [...(scram?.sha1 ? ['SCRAM-SHA-1'] : []), ...(scram?.sha256 ? ['SCRAM-SHA-256'] : [])];
  return offered.length === 0 ? {} : { saslSupportedMechs: offered };
}

function notAUser(name: unknown): ServerError {
  const isDocument = typeof name === 'object' && name !== null && !Array.isArray(name);
  return isDocument
    ? new ServerError('BadValue', 'UserName must contain a field named: user')
    : new ServerError('TypeMismatch', 'UserName must be either a string or an object');
}

/**
 * Runs the first step of a login that a `hello` command contains. If the step fails, the reply to `hello` does not
 * mention it.
 */
function speculate(login: Login, body: unknown): Document {
  if (typeof body !== 'object' || body === null) return {};
  const start: Document = body;
  if (typeof start.db !== 'string') return {};
  const certified = start.authenticate !== undefined && start.mechanism === X509_MECHANISM;
  if (start.saslStart === undefined && !certified) return {};
  try {
    const speculativeAuthenticate = certified
      ? login.certify(start.db, start.user, true)
      : startLogin(login, start, start.db, true);
    return { speculativeAuthenticate };
  } catch (error) {
    if (error instanceof ServerError) return {};
    throw error;
  }
}

function startLogin(login: Login, body: Document, database: string, speculative = false): Document {
  return login.start({
    speculative,
    mechanism: body.mechanism,
    payload: body.payload,
    database,
    skipEmptyExchange: body.options?.skipEmptyExchange === true,
  });
}

function databaseOf(body: Document): string {
  if (typeof body.$db === 'string') return body.$db;
  throw new ServerError(40571, 'OP_MSG requests require a $db argument');
}
