import type { WireCaller } from '../access/caller.ts';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../bson/raw.ts';
import { string, textOf } from '../bson/value.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { OperationKind } from './operation-kinds.ts';

/** How the audit stream records a command: the event name and the parameters. */
export interface Audited {
  readonly atype: string;
  readonly params: (request: AuditedRequest) => readonly object[];
}

export interface AuditedRequest {
  readonly database: string;
  readonly args: RawDocument;
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
  return audited(name, ({ args, database: db }) => ({ user: args.get(name), db, ...picked(args, fields) }));
}

/** The audit record of a command on the role that it names. */
export function auditedRole(name: string, ...fields: readonly string[]): Audited {
  return audited(name, ({ args, database: db }) => ({ role: args.get(name), db, ...picked(args, fields) }));
}

/** The audit record of a command on the collection that it names. */
export function auditedNamespace(atype: string, name: string): Audited {
  return audited(atype, ({ args, database }) => ({ ns: namespaceIn(args, database, name) }));
}

export function picked(args: AuditedRequest['args'], fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field) => [field, args.get(field)]));
}

/** The text of an argument; undefined if it has another type. */
export function textIn(args: RawDocument, field: string): string | undefined {
  const value = args.get(field);
  return value?.type === bsonTypes.string ? textOf(value) : undefined;
}

/** The documents of an array argument; empty if it has another type. */
export function documentsIn(args: RawDocument, field: string): RawDocument[] {
  const value = args.get(field);
  if (value?.type !== bsonTypes.array) return [];
  return entriesOf(value).flatMap((entry) => (entry.type === bsonTypes.object ? documentOf(entry) : []));
}

/** The namespace of the collection that an argument names. */
export function namespaceIn(args: RawDocument, database: string, field: string): string {
  return `${database}.${textIn(args, field) ?? ''}`;
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

const masked = string('xxx');

/** The command's arguments, with secrets masked and protocol fields removed. */
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
