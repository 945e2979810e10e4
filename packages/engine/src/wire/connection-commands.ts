import type { Document } from 'bson';
import type { WireUser } from '../access/caller.ts';
import { accountChanges } from '../commands/accounts/changes.ts';
import { ServerError } from '../errors/server-error.ts';
import type { UserSpec } from '../interface/engine.ts';
import type { LastWrite } from '../worker/protocol.ts';
import { negotiate } from './compression.ts';
import type { FailPoints } from './fail-point.ts';
import { hello } from './hello.ts';
import type { Login } from './login.ts';
import { awaitOf, type TopologyVersion } from './topology-version.ts';
import type { ClusterView } from './view.ts';

/**
 * Commands that a connection thread answers itself, because they are about the connection or have to be quick while
 * a query worker is busy. All others go to the cluster's query worker.
 */

interface ConnectionCall {
  /** The command's own name in the message. */
  readonly name: string;
  readonly body: Document;
  readonly view: ClusterView;
  readonly memberId: string;
  readonly connectionId: number;
  readonly login: Login;
  /** By which name the driver has come, where TLS tells it. */
  readonly cameBy: string | undefined;
  /** Service time in milliseconds. */
  readonly now: number;
  readonly topology: TopologyVersion;
  readonly lastWrite?: LastWrite | undefined;
  /** Tells the audit stream, where there is one. */
  audit(atype: string, param: object, result: number): void;
  readonly failPoints: FailPoints;
  /** Any user, those that commands have made too. */
  findUser(database: string, username: string): UserSpec | undefined;
}

export type Answer = (call: ConnectionCall) => Document;

export interface ConnectionCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What a driver begins with, and asks again and again. */
  readonly greets: boolean;
  /** On clusters that a service manages. */
  readonly managed: 'answered' | 'unknown';
  readonly answer: Answer;
}

const ordinary = { aliases: [], greets: false, managed: 'answered' } as const;

export const connectionCommands: readonly ConnectionCommand[] = [
  { name: 'hello', ...ordinary, greets: true, answer: answerHello },
  { name: 'isMaster', ...ordinary, aliases: ['ismaster'], greets: true, answer: answerHello },
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
  { name: 'logout', ...ordinary, answer: logout },
  {
    // What came before SASL; the mechanisms that it served are gone.
    name: 'authenticate',
    ...ordinary,
    answer: ({ login, body }) => login.refuse(databaseOf(body), body.user, body.mechanism),
  },
  { name: 'configureFailPoint', ...ordinary, managed: 'unknown', answer: configureFailPoint },
];

const table: ReadonlyMap<string, ConnectionCommand> = new Map(
  connectionCommands.flatMap((command) => [command.name, ...command.aliases].map((name) => [name, command])),
);

function logout({ login, body, audit }: ConnectionCall): Document {
  const before = login.user;
  // Who has logged in on another database stays.
  if (before?.database === databaseOf(body)) {
    audit('logout', { initialUsers: told(before), updatedUsers: [] }, 0);
    login.logout();
  }
  return {};
}

function told({ username, database }: WireUser): object[] {
  return [{ user: username, db: database }];
}

/** On a managed cluster users are made through the administration API alone. */
const refusedWhenManaged: ReadonlySet<string> = new Set(accountChanges);

/** What answers a command here; undefined for those that a query worker answers. */
export function answerHere(name: string, { managed }: ClusterView): Answer | undefined {
  const command = table.get(name);
  if (command !== undefined && (command.managed === 'answered' || !managed)) return command.answer;
  return managed && refusedWhenManaged.has(name) ? refuseUserCommand : undefined;
}

export function isHello(name: string): boolean {
  return table.get(name)?.greets === true;
}

function configureFailPoint({ name, body, memberId, login, failPoints }: ConnectionCall): Document {
  if (login.user?.roles.some(({ role }) => role === 'root') !== true) {
    throw new ServerError('Unauthorized', `not authorized on admin to execute command ${name}`);
  }
  return failPoints.configure(memberId, body);
}

function refuseUserCommand({ name, login }: ConnectionCall): never {
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
  // Whoever waited has asked rightly; this refuses who asked wrongly.
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

/** A user that is not there is said to have both mechanisms, as nearly all have, so that asking tells nothing. */
function offeredMechanisms(asked: unknown, { findUser }: ConnectionCall): Document {
  if (asked === undefined) return {};
  if (typeof asked !== 'string') throw notAUser(asked);
  const at = asked.indexOf('.');
  if (at < 0) throw new ServerError('BadValue', 'UserName must contain a "." separated database.user pair');
  const user = findUser(asked.slice(0, at), asked.slice(at + 1));
  const scram = user === undefined ? { sha1: true, sha256: true } : user.scram;
  const offered = [...(scram?.sha1 ? ['SCRAM-SHA-1'] : []), ...(scram?.sha256 ? ['SCRAM-SHA-256'] : [])];
  return offered.length === 0 ? {} : { saslSupportedMechs: offered };
}

function notAUser(asked: unknown): ServerError {
  const isDocument = typeof asked === 'object' && asked !== null && !Array.isArray(asked);
  return isDocument
    ? new ServerError('BadValue', 'UserName must contain a field named: user')
    : new ServerError('TypeMismatch', 'UserName must be either a string or an object');
}

/** The first step of a log-in that came along with the greeting; one that fails is left out of the answer. */
function speculate(login: Login, body: unknown): Document {
  if (typeof body !== 'object' || body === null) return {};
  const asked: Document = body;
  if (asked.saslStart === undefined || typeof asked.db !== 'string') return {};
  try {
    return { speculativeAuthenticate: startLogin(login, asked, asked.db, true) };
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
