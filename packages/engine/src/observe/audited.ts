import type { WireCaller } from '../access/caller.ts';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../bson/raw.ts';
import { string, textOf } from '../bson/value.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { OperationKind } from './operation-kinds.ts';

/**
 * Defines how the audit stream records a command: the type of the event, and a function that returns the parameters of
 * the event.
 */
export interface Audited {
  readonly atype: string;
  readonly params: (request: AuditedRequest) => readonly object[];
}

export interface AuditedRequest {
  readonly database: string;
  readonly args: RawDocument;
}

/** The properties of a command that the observer needs. */
export interface ObservedCommand {
  readonly name: string;
  readonly operation: OperationKind;
  readonly audit: Audited | 'none';
  readonly secrets: readonly string[];
}

export interface ObservedRequest extends CommandMessage {
  readonly caller: WireCaller;
}

/** Defines that each command is recorded as a single message. `make` returns the parameters of the message. */
export function audited(atype: string, make: (request: AuditedRequest) => object): Audited {
  return { atype, params: (request) => [make(request)] };
}

/**
 * Defines how to record a command about a user. `name` is the name of the command. The first field of the command
 * contains the name of the user.
 */
export function auditedUser(name: string, ...fields: readonly string[]): Audited {
  return audited(name, ({ args, database: db }) => ({ user: args.get(name), db, ...picked(args, fields) }));
}

/**
 * Defines how to record a command about a role. `name` is the name of the command. The first field of the command
 * contains the name of the role.
 */
export function auditedRole(name: string, ...fields: readonly string[]): Audited {
  return audited(name, ({ args, database: db }) => ({ role: args.get(name), db, ...picked(args, fields) }));
}

/**
 * Defines how to record a command about a collection. `name` is the name of the command. The first field of the command
 * contains the name of the collection.
 */
export function auditedNamespace(atype: string, name: string): Audited {
  return audited(atype, ({ args, database }) => ({ ns: namespaceIn(args, database, name) }));
}

export function picked(args: AuditedRequest['args'], fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field) => [field, args.get(field)]));
}

/** Returns the text of an argument, or undefined if it has another type. */
export function textIn(args: RawDocument, field: string): string | undefined {
  const value = args.get(field);
  return value?.type === bsonTypes.string ? textOf(value) : undefined;
}

/** Returns the documents of an array argument, or none if it has another type. */
export function documentsIn(args: RawDocument, field: string): RawDocument[] {
  const value = args.get(field);
  if (value?.type !== bsonTypes.array) return [];
  return entriesOf(value).flatMap((entry) => (entry.type === bsonTypes.object ? documentOf(entry) : []));
}

/** Returns the namespace of the collection in an argument. */
export function namespaceIn(args: RawDocument, database: string, field: string): string {
  return `${database}.${textIn(args, field) ?? ''}`;
}

/** Returns the audit messages of a command, or none if the stream does not record the command. */
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

const masked = string('xxx');

/** Returns the arguments of a command with masked secrets and without protocol fields. */
export function argumentsOf({ body }: Pick<CommandMessage, 'body'>, secrets: readonly string[]): RawDocument {
  return writeDocument((writer) => {
    for (const element of body) {
      const { name } = element;
      if (hidden.has(name)) continue;
      if (secrets.includes(name)) writer.field(name, masked);
      else writer.element(element);
    }
  });
}
