import type { WireCaller } from '../access/caller.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { OperationKind } from './operation-kinds.ts';

/** How the audit stream records a command: the event name and the parameters. */
export interface Audited {
  readonly atype: string;
  readonly params: (request: AuditedRequest) => readonly object[];
}

export interface AuditedRequest {
  readonly database: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the observer needs to know about a command. */
export interface ObservedCommand {
  readonly name: string;
  readonly operation: OperationKind;
  readonly audit: Audited | 'none';
  readonly secrets: readonly string[];
}

export interface ObservedRequest extends CommandMessage {
  readonly caller: WireCaller;
}

/** An audit record with one message. */
export function audited(atype: string, make: (request: AuditedRequest) => object): Audited {
  return { atype, params: (request) => [make(request)] };
}

/** The audit record of a command on the user that it names. */
export function auditedUser(name: string, ...fields: readonly string[]): Audited {
  return audited(name, ({ args, database: db }) => ({ user: args[name], db, ...picked(args, fields) }));
}

/** The audit record of a command on the role that it names. */
export function auditedRole(name: string, ...fields: readonly string[]): Audited {
  return audited(name, ({ args, database: db }) => ({ role: args[name], db, ...picked(args, fields) }));
}

/** The audit record of a command on the collection that it names. */
export function auditedNamespace(atype: string, name: string): Audited {
  return audited(atype, ({ args, database }) => ({ ns: `${database}.${args[name]}` }));
}

export function picked(args: AuditedRequest['args'], fields: readonly string[]): object {
  return Object.fromEntries(fields.filter((field) => field in args).map((field) => [field, args[field]]));
}

/** The audit messages of a command; empty if the stream does not record it. */
export function auditMessages(
  { audit, secrets }: ObservedCommand,
  request: CommandMessage,
): Array<{ atype: string; param: object }> {
  if (audit === 'none') return [];
  const { atype, params } = audit;
  const args = argumentsOf(request, secrets);
  return params({ database: request.database, args }).map((param) => ({ atype, param }));
}

const hidden: ReadonlySet<string> = new Set(['lsid', '$clusterTime', '$db', '$readPreference', 'txnNumber']);

/** The command's arguments, with secrets masked and protocol fields removed. */
export function argumentsOf({ body }: CommandMessage, secrets: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(body.toObject()).filter(([field]) => !hidden.has(field));
  return Object.fromEntries(
    entries.map(([field, value]) => [field, secrets.includes(field) ? 'xxx' : value]),
  );
}
