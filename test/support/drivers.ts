import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { MongoClient, type MongoClientOptions, MongoServerSelectionError } from 'mongodb';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';
import { applied, type ClusterDocument, idle } from './stage.ts';

export { LONG_TIMEOUTS } from './timeouts.ts';

/** Database users and drivers for tests. */

export const SAILOR = { username: 'sailor', password: 'a compass and a chart' };

const EVERYTHING = [{ roleName: 'readWriteAnyDatabase', databaseName: 'admin' }];

/** Creates a user with a password, who may read and write everything unless `change` says otherwise. */
export async function newUser(
  { owner }: Setup,
  project: string,
  username: string,
  change = {},
): Promise<void> {
  const user = { username, password: SAILOR.password, databaseName: 'admin', roles: EVERYTHING, ...change };
  expectStatus(await owner.post(`${project}/databaseUsers`, user), 201);
}

/** Allows a user with all data privileges to connect from this machine. Resolves once the cluster enforces this. */
export async function allowAccess(setup: Setup, project: string, cluster: string): Promise<void> {
  await newUser(setup, project, SAILOR.username);
  expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
  await applied(setup.owner, cluster);
}

/** How long a driver searches for a member. On a busy machine, members may not reply for ten seconds or more. */
const SELECTION_MS = 60_000;

/**
 * How long a driver waits for a reply. By default, it would wait forever. This is less than the time limit of a test,
 * which then fails with the cause.
 */
const REPLY_MS = 240_000;

/**
 * Connects the official driver to a cluster, with the cluster's connection string. The caller must close it. On a busy
 * machine, a member may reply too late for one driver; then the function tries another one.
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

/** Returns the message of an error after which another attempt may succeed. Rethrows all other errors. */
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
    socketTimeoutMS: REPLY_MS,
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

/** Options for a driver whose operations must fail, since its cluster has no primary. */
export const SHORT_TIMEOUTS: MongoClientOptions = { serverSelectionTimeoutMS: 2_000 };

/** Fails if a driver can connect to the cluster of a connection string. */
export async function expectRefused(connectionString: string | undefined): Promise<void> {
  const options = { serverSelectionTimeoutMS: REFUSAL_MS };
  const name = 'MongoServerSelectionError';
  await assert.rejects(connectDriver(connectionString ?? '', options), { name });
}

/** Opens a raw connection to the first member of a cluster. `ended` resolves when the server closes it. */
export async function openLine({ connectionStrings }: ClusterDocument): Promise<{ ended: Promise<unknown> }> {
  const [, host, port] = /\/\/([\d.]+):(\d+)/.exec(connectionStrings.standard ?? '') ?? [];
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.resume();
  return { ended: once(socket, 'close') };
}
