import { hash } from 'node:crypto';
import { memberOf, type ReportedDeployment } from '@portolan/service/live-migrations';
import type { Document, MongoClient } from 'mongodb';
import { PermanentError } from './connect.ts';

const OWN_DATABASES: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** The identity of a deployment, as its primary or a router reports it. */
export interface DeploymentIdentity {
  readonly version: string;
  readonly featureCompatibilityVersion: string;
  readonly sharded: boolean;
  readonly shards: number;
  /** The members of all shards, as the deployment reports them. */
  readonly members: readonly string[];
  /** The name that the deployment reports. */
  readonly name: string;
  readonly id: string;
}

export async function identify(client: MongoClient): Promise<DeploymentIdentity> {
  const admin = client.db('admin');
  const hello = await admin.command({ hello: 1 });
  const sharded = isRouter(hello);
  if (!sharded && hello.setName === undefined)
    throw new PermanentError('The source is a standalone server, which has no change streams.');
  const { version } = await admin.command({ buildInfo: 1 });
  const sets = await setsOf(client, hello);
  const name = sharded ? 'cluster' : String(hello.setName);
  return {
    version,
    featureCompatibilityVersion: await compatibilityOf(client, String(version)),
    sharded,
    shards: sets.length,
    members: membersIn(sets),
    name,
    id: hash('sha256', `${(await identityOf(client, sharded)) ?? name}`).slice(0, 24),
  };
}

interface ReplicaSet {
  readonly set: string;
  readonly hosts: readonly string[];
}

/** The replica set of a deployment, or those of its shards, as far as `hello` reports them. */
async function setsOf(client: MongoClient, hello: Document): Promise<ReplicaSet[]> {
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

/** The members of all shards. */
export async function membersOf(client: MongoClient, hello: Document): Promise<string[]> {
  return membersIn(await setsOf(client, hello));
}

function membersIn(sets: readonly ReplicaSet[]): string[] {
  return sets.flatMap(({ set, hosts }) => hosts.map((host) => memberOf(set, host)));
}

/** The feature compatibility version. Routers do not report it, so for them it is derived from the version. */
async function compatibilityOf(client: MongoClient, version: string): Promise<string> {
  const asked = { getParameter: 1, featureCompatibilityVersion: 1 };
  const answer: Document = await client
    .db('admin')
    .command(asked)
    .catch(() => ({}));
  return answer.featureCompatibilityVersion?.version ?? version.split('.').slice(0, 2).join('.');
}

/** The id of the replica set or of the sharded cluster; undefined if it has none. */
async function identityOf(client: MongoClient, sharded: boolean): Promise<unknown> {
  if (sharded) return (await client.db('config').collection('version').findOne({}))?.clusterId;
  return (await client.db('local').collection('system.replset').findOne({}))?.settings?.replicaSetId;
}

/** The databases that hold data of users. */
export async function databasesOf(client: MongoClient): Promise<string[]> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  return (databases as { name: string }[]).map(({ name }) => name).filter((name) => !OWN_DATABASES.has(name));
}

/** Whether changes in a database are copied. */
export function isCopied(database: string): boolean {
  return !OWN_DATABASES.has(database);
}

export async function bytesOf(client: MongoClient): Promise<number> {
  let bytes = 0;
  for (const name of await databasesOf(client))
    bytes += Number((await client.db(name).command({ dbStats: 1 })).dataSize);
  return bytes;
}

/** The maximum and the present size of a replica set's oplog. Routers have no oplog. */
export async function oplogOf(client: MongoClient): Promise<{ size: number; max: number } | undefined> {
  const stats = await client
    .db('local')
    .command({ collStats: 'oplog.rs' })
    .catch(() => undefined);
  return stats && { size: Number(stats.size), max: Number(stats.maxSize) };
}

export interface Described {
  readonly identity: DeploymentIdentity;
  readonly deployment: ReportedDeployment;
}

export async function describe(
  client: MongoClient,
  given: string | undefined,
  agentVersion: string,
): Promise<Described> {
  const identity = await identify(client);
  return { identity, deployment: await reported(client, { identity, given, agentVersion }) };
}

async function reported(
  client: MongoClient,
  {
    identity,
    given,
    agentVersion,
  }: {
    readonly identity: DeploymentIdentity;
    readonly given: string | undefined;
    readonly agentVersion: string;
  },
): Promise<ReportedDeployment> {
  const oplog = identity.sharded ? undefined : await oplogOf(client);
  return {
    agentVersion,
    clusterId: identity.id,
    dbSizeBytes: await bytesOf(client),
    featureCompatibilityVersion: identity.featureCompatibilityVersion,
    managed: false,
    dbVersion: identity.version,
    name: given ?? identity.name,
    ...(oplog === undefined || !Number.isFinite(oplog.max)
      ? {}
      : { oplogSizeMB: Math.round(oplog.max / 2 ** 20) }),
    sharded: identity.sharded,
    shardsSize: identity.shards,
    tlsEnabled: client.options.tls === true,
  };
}
