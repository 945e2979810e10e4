import { ownDatabases } from '@portolan/engine/interface/namespaces';
import type { Document, MongoClient } from 'mongodb';
import { codeOf, UNKNOWN_COMMAND } from './error-codes.ts';
import { MAX_DATABASES } from './limits.ts';
import { CHECKPOINTS, memberOf } from './names.ts';

/**
 * Databases that belong to the servers, or to the service: `CHECKPOINTS` exists while a copy is in progress, and
 * after an interruption.
 */
const OWN_DATABASES: ReadonlySet<string> = new Set([...ownDatabases, CHECKPOINTS]);

interface ReplicaSet {
  readonly set: string;
  readonly hosts: readonly string[];
}

/** The replies of a deployment to `hello` and, if it is a sharded cluster that lists its shards, to `listShards`. */
interface Greeting {
  readonly hello: Document;
  readonly shards?: Document;
}

/**
 * Asks a deployment what it is. DocumentDB replies to `hello` like a router, but has no shards. Its reply is returned
 * without the field `msg`, so that it counts as a standalone server.
 */
export async function greetingOf(run: (command: Document) => Promise<Document>): Promise<Greeting> {
  const hello = await run({ hello: 1 });
  if (!isRouter(hello)) return { hello };
  try {
    return { hello, shards: await run({ listShards: 1 }) };
  } catch (error) {
    if (!UNKNOWN_COMMAND.has(codeOf(error))) return { hello };
    const { msg: _, ...standalone } = hello;
    return { hello: standalone };
  }
}

/** Like `greetingOf`, but returns only the reply to `hello`. */
export async function helloOf(client: MongoClient): Promise<Document> {
  return (await greetingOf((command) => client.db('admin').command(command))).hello;
}

/** Returns the replica set of a deployment, or the replica sets of its shards, as far as `hello` reports them. */
export async function replicaSetsOf(client: MongoClient, hello: Document): Promise<readonly ReplicaSet[]> {
  if (!isRouter(hello)) {
    const { setName, hosts = [], passives = [] } = hello;
    return [{ set: String(setName), hosts: [...hosts, ...passives] }];
  }
  const { shards } = await client.db('admin').command({ listShards: 1 });
  return (shards as { readonly host: string }[]).map(({ host: told }) => {
    const [set = '', hosts = ''] = told.split('/');
    return { set, hosts: hosts.split(',') };
  });
}

export const isRouter = (hello: Document | undefined) => hello?.msg === 'isdbgrid';

/** Returns the members of replica sets. */
export function membersIn(sets: readonly ReplicaSet[]): string[] {
  return sets.flatMap(({ set, hosts }) => hosts.map((host) => memberOf(set, host)));
}

/** Returns the databases that contain data of users. */
export async function databasesOf(client: MongoClient): Promise<string[]> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  if (databases.length > MAX_DATABASES)
    throw new Error(
      `the servers have ${databases.length} databases, and the service supports up to ${MAX_DATABASES}`,
    );
  return (databases as { name: string }[]).map(({ name }) => name).filter((name) => !OWN_DATABASES.has(name));
}

/** Whether changes in a database are copied. */
export function isCopied(database: string): boolean {
  return !OWN_DATABASES.has(database);
}
