import { hash } from 'node:crypto';
import type { ReportedDeployment } from '@portolan/service/live-migrations';
import {
  databasesOf,
  helloOf,
  isRouter,
  membersIn,
  PermanentError,
  replicaSetsOf,
} from '@portolan/service/replication';
import type { Document, MongoClient } from 'mongodb';

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
  const hello = await helloOf(client);
  const sharded = isRouter(hello);
  if (!sharded && hello.setName === undefined)
    throw new PermanentError('The source is a standalone server, which has no change streams.');
  const { version } = await admin.command({ buildInfo: 1 });
  const sets = await replicaSetsOf(client, hello);
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

/** Returns the feature compatibility version. Routers do not report it, so for them it is derived from the version. */
async function compatibilityOf(client: MongoClient, version: string): Promise<string> {
  const asked = { getParameter: 1, featureCompatibilityVersion: 1 };
  const answer: Document = await client
    .db('admin')
    .command(asked)
    .catch(() => ({}));
  return answer.featureCompatibilityVersion?.version ?? version.split('.').slice(0, 2).join('.');
}

/** Returns the id of the replica set or of the sharded cluster. Returns undefined if the deployment has no id. */
async function identityOf(client: MongoClient, sharded: boolean): Promise<unknown> {
  if (sharded) return (await client.db('config').collection('version').findOne({}))?.clusterId;
  return (await client.db('local').collection('system.replset').findOne({}))?.settings?.replicaSetId;
}

export async function bytesOf(client: MongoClient): Promise<number> {
  let bytes = 0;
  for (const name of await databasesOf(client))
    bytes += Number((await client.db(name).command({ dbStats: 1 })).dataSize);
  return bytes;
}

/** Returns the maximum and the present size of a replica set's oplog. Routers have no oplog. */
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
