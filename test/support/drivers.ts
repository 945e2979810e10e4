import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { MongoClient, type MongoClientOptions, MongoServerSelectionError } from 'mongodb';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';
import { applied, type ClusterDocument, idle } from './stage.ts';

/** Who logs in to clusters, and how. */

export const SAILOR = { username: 'sailor', password: 'a compass and a chart' };

const EVERYTHING = [{ roleName: 'readWriteAnyDatabase', databaseName: 'admin' }];

/** A user with a password; may read and write everything unless `change` says otherwise. */
export async function newUser(
  { owner }: Setup,
  project: string,
  username: string,
  change = {},
): Promise<void> {
  const user = { username, password: SAILOR.password, databaseName: 'admin', roles: EVERYTHING, ...change };
  expectStatus(await owner.post(`${project}/databaseUsers`, user), 201);
}

/** Lets a user in from this machine, who may read and write everything, and waits until a cluster knows. */
export async function allowAccess(setup: Setup, project: string, cluster: string): Promise<void> {
  await newUser(setup, project, SAILOR.username);
  expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
  await applied(setup.owner, cluster);
}

/** How long a driver looks for a primary; closing one whose cluster is gone takes as long. */
const SELECTION_MS = 2_000;

/** For a driver whose cluster is killed and comes back. */
export const PATIENT: MongoClientOptions = { serverSelectionTimeoutMS: 15_000 };

/**
 * The official driver, on a cluster by its own connection string. The caller closes it. A busy machine may let a member
 * answer later than a driver looks for one: another looks then.
 */
export async function driverFor(
  { owner }: Setup,
  cluster: string,
  options: MongoClientOptions = {},
): Promise<MongoClient> {
  const { connectionStrings } = await idle(owner, cluster);
  const found = await until(
    `a member of ${cluster}`,
    () => connectDriver(connectionStrings.standard ?? '', options).catch(unfound),
    (driver) => typeof driver !== 'string',
  );
  return found as MongoClient;
}

/** What is to be tried again. */
function unfound(error: unknown): string {
  if (error instanceof MongoServerSelectionError) return error.message;
  throw error;
}

export async function connectDriver(
  connectionString: string,
  options: MongoClientOptions,
): Promise<MongoClient> {
  const client = new MongoClient(connectionString, {
    auth: SAILOR,
    serverSelectionTimeoutMS: SELECTION_MS,
    ...options,
  });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

const REFUSAL_MS = 300;

/** Fails when a driver gets through to the cluster of a connection string. */
export async function expectRefused(connectionString: string | undefined): Promise<void> {
  const options = { serverSelectionTimeoutMS: REFUSAL_MS };
  const name = 'MongoServerSelectionError';
  await assert.rejects(connectDriver(connectionString ?? '', options), { name });
}

/** A connection to the first member of a cluster, with nothing said on it; tells when the other side ends it. */
export async function openLine({ connectionStrings }: ClusterDocument): Promise<{ ended: Promise<unknown> }> {
  const [, host, port] = /\/\/([\d.]+):(\d+)/.exec(connectionStrings.standard ?? '') ?? [];
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.resume();
  return { ended: once(socket, 'close') };
}
