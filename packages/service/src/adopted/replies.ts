import type { Document } from 'mongodb';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { MAX_DATABASES } from '../replication/limits.ts';

/*
 * This file describes the replies of servers that the service stores or shows. The servers of adopted deployments are
 * not under the control of the operator of Portolan, so their replies can be malformed, or too long.
 */

/** A replica set of MongoDB has at most this many members. */
const MAX_SET_MEMBERS = 50;
const MAX_SHARDS = 100;
/** Each member requires a client with several connections. */
export const MAX_MEMBERS = 300;
/** Users are not listed if there are more. */
export const MAX_USERS = 10_000;

/** PostgreSQL stores no text with the character U+0000. */
const Name = Type.String({ pattern: '^[^\\u0000]{1,300}$' });
const ADDRESS = '[^\\s,/@?#]{1,255}';
const Address = Type.String({ pattern: `^${ADDRESS}$` });
const Addresses = Type.Array(Address);

export const Hello = Type.Object({
  setName: Type.Optional(Name),
  hosts: Type.Optional(Addresses),
  passives: Type.Optional(Addresses),
  arbiters: Type.Optional(Addresses),
});

export const Shards = Type.Object({
  shards: Type.Array(
    Type.Object({ host: Type.String({ pattern: `^(${ADDRESS}/)?${ADDRESS}(,${ADDRESS})*$` }) }),
  ),
});

export const SetConfig = Type.Object({
  config: Type.Object({
    members: Type.Array(
      Type.Object({
        _id: Type.Number(),
        host: Address,
        priority: Type.Number(),
        hidden: Type.Optional(Type.Boolean()),
        arbiterOnly: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
});

export const SetStatus = Type.Object({
  members: Type.Array(Type.Object({ name: Name, health: Type.Number(), stateStr: Name })),
});

export const Databases = Type.Object({
  databases: Type.Array(Type.Object({ name: Name, sizeOnDisk: Type.Optional(Type.Number()) })),
});

export const Users = Type.Object({ users: Type.Array(Type.Object({ user: Type.String(), db: Name })) });

export const Rights = Type.Object({
  authInfo: Type.Object({
    authenticatedUsers: Type.Optional(Type.Array(Type.Unknown())),
    authenticatedUserPrivileges: Type.Optional(
      Type.Array(
        Type.Object({
          resource: Type.Object({
            cluster: Type.Optional(Type.Boolean()),
            anyResource: Type.Optional(Type.Boolean()),
            db: Type.Optional(Type.String()),
            collection: Type.Optional(Type.String()),
          }),
          actions: Type.Array(Type.String()),
        }),
      ),
    ),
  }),
});

/** The most elements that the lists of a reply may have, and what they are. */
const limits: ReadonlyMap<TSchema, readonly [list: string, what: string, limit: number]> = new Map<
  TSchema,
  readonly [string, string, number]
>([
  [Hello, ['hosts', 'members of a replica set', MAX_SET_MEMBERS]],
  [Shards, ['shards', 'shards', MAX_SHARDS]],
  [SetConfig, ['config.members', 'members of a replica set', MAX_SET_MEMBERS]],
  [SetStatus, ['members', 'members of a replica set', MAX_SET_MEMBERS]],
  [Databases, ['databases', 'databases', MAX_DATABASES]],
]);

/** Returns a reply of the servers to a command. Throws if the reply is malformed, or if a list in it is too long. */
export function checkedReply<Schema extends TSchema>(
  command: string,
  schema: Schema,
  reply: Document,
): Static<Schema> & Document {
  const [path = '', what = '', limit = 0] = limits.get(schema) ?? [];
  const list = path.split('.').reduce<unknown>((at, name) => (at as Document | undefined)?.[name], reply);
  if (Array.isArray(list) && path !== '') checkCount(list.length, what, limit);
  // Find the errors only if there are any, since this is much slower.
  if (!Value.Check(schema, reply)) throw malformed(command, schema, reply);
  return reply as Static<Schema> & Document;
}

function malformed(command: string, schema: TSchema, reply: Document): Error {
  const [problem] = Value.Errors(schema, reply);
  const where = problem?.instancePath ? ` at ${problem.instancePath}` : '';
  return new Error(`The servers' reply to ${command} is malformed${where}: it ${problem?.message}.`);
}

export function checkCount(count: number, what: string, limit: number): void {
  if (count <= limit) return;
  throw new Error(`The deployment has ${count} ${what}, and the service supports up to ${limit}.`);
}

type Check = (value: unknown) => boolean;

const matches =
  (schema: TSchema): Check =>
  (value) =>
    Value.Check(schema, value);

const hasType =
  (type: string): Check =>
  (value) =>
    (value as Document | null)?._bsontype === type;

const areAddresses = matches(Addresses);
const isNumber = matches(Type.Number());

/** What the driver expects in the fields of a reply to `hello`. */
const fieldsOfHello: Readonly<Record<string, Check>> = {
  hosts: areAddresses,
  passives: areAddresses,
  arbiters: areAddresses,
  me: matches(Address),
  primary: matches(Address),
  setName: matches(Name),
  setVersion: isNumber,
  electionId: hasType('ObjectId'),
  tags: matches(Type.Record(Type.String(), Type.String())),
  minWireVersion: isNumber,
  maxWireVersion: isNumber,
  logicalSessionTimeoutMinutes: matches(Type.Union([Type.Number(), Type.Null()])),
  topologyVersion: (value) => hasType('ObjectId')((value as Document).processId),
  lastWrite: matches(Type.Object({ lastWriteDate: Type.Optional(Type.Unsafe<Date>({})) })),
};

/**
 * Removes the fields of a reply to `hello` that the driver cannot process, since it would throw an error that nobody
 * catches. Shortens the lists of members, since the driver connects to each of them. Returns a field that was removed.
 */
export function cleanHello(reply: Document): string | undefined {
  let removed: string | undefined;
  for (const [field, check] of Object.entries(fieldsOfHello)) {
    const value = reply[field];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) reply[field] = value.slice(0, MAX_SET_MEMBERS);
    if (check(reply[field])) continue;
    delete reply[field];
    removed = field;
  }
  return removed;
}
