import { machineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';
import { MongoClient } from 'mongodb';
import type { Answer, Client } from './client.ts';

/** The results of earlier steps that later steps of the tour use. */
export interface Journey {
  readonly client: Client;
  readonly orgId: string;
  /** The file with the certificate of the service's authority, PEM. */
  readonly authorityFile: string;
  groupId: string;
  connectionString: string;
  database: MongoClient | undefined;
  snapshotId?: string;
}

const CLUSTER = 'tour';
export const USER = { username: 'sailor', password: 'a compass and a chart' };
const DOCUMENTS = Array.from({ length: 1000 }, (_, number) => ({ number, port: number % 7 }));

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

export function expectStatus(answer: Answer, status: number): Answer['body'] {
  expect(
    answer.status === status,
    `expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`,
  );
  return answer.body;
}

/** How long a step waits for the service. On a busy machine, an index is built slowly, at a low priority. */
export const PATIENCE_MS = 180_000;

/** Repeats a request until its response is the expected one. */
export async function until(
  ask: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
  what: string,
): Promise<Answer> {
  let last: unknown;
  const answer = await poll(machineClock(), { step: 20, limit: PATIENCE_MS }, async () => {
    const asked = await ask();
    last = asked.body;
    return fits(asked) ? asked : undefined;
  });
  expect(
    answer !== undefined,
    `${what} did not happen within ${PATIENCE_MS / 1000} s: ${JSON.stringify(last)}`,
  );
  return answer;
}

const clusters = (journey: Journey) => `/groups/${journey.groupId}/clusters`;
export const clusterPath = (journey: Journey) => `${clusters(journey)}/${CLUSTER}`;

export async function createProject(journey: Journey): Promise<string> {
  const { client, orgId } = journey;
  const body = expectStatus(await client.call('POST', '/groups', { name: 'Tour', orgId }), 200);
  journey.groupId = String(body.id);
  return `project ${journey.groupId}`;
}

export async function createCluster(journey: Journey): Promise<string> {
  const body = expectStatus(
    await journey.client.call('POST', clusters(journey), {
      name: CLUSTER,
      clusterType: 'REPLICASET',
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
      providerBackupEnabled: true,
    }),
    201,
  );
  expect(body.stateName === 'CREATING', `expected CREATING, got ${body.stateName}`);
  return 'stateName CREATING';
}

export async function awaitIdle(journey: Journey): Promise<string> {
  const { body } = await until(
    () => journey.client.call('GET', clusterPath(journey)),
    (answer) => answer.body.stateName === 'IDLE',
    'IDLE',
  );
  journey.connectionString = String((body.connectionStrings as { standard?: string }).standard);
  return journey.connectionString;
}

export async function createUser(journey: Journey): Promise<string> {
  expectStatus(
    await journey.client.call('POST', `/groups/${journey.groupId}/databaseUsers`, {
      ...USER,
      databaseName: 'admin',
      roles: [{ roleName: 'readWriteAnyDatabase', databaseName: 'admin' }],
    }),
    201,
  );
  return `user ${USER.username}`;
}

export async function allowAddress(journey: Journey): Promise<string> {
  const entries = [{ ipAddress: '127.0.0.1', comment: 'the tour' }];
  expectStatus(await journey.client.call('POST', `/groups/${journey.groupId}/accessList`, entries), 201);
  await until(
    () => journey.client.call('GET', `${clusterPath(journey)}/status`),
    (answer) => answer.body.changeStatus === 'APPLIED',
    'APPLIED',
  );
  return '127.0.0.1 on the access list, enforced by every node';
}

export async function connectDriver(journey: Journey): Promise<string> {
  const database = new MongoClient(journey.connectionString, {
    auth: USER,
    serverSelectionTimeoutMS: PATIENCE_MS,
  });
  journey.database = await database.connect();
  return 'the official driver is logged in';
}

const collection = ({ database }: Journey) => {
  expect(database !== undefined, 'the driver is not connected');
  return database.db('harbour').collection('ports');
};

export async function insertAndQuery(journey: Journey): Promise<string> {
  await collection(journey).insertMany(DOCUMENTS.map((document) => ({ ...document })));
  const found = await collection(journey)
    .find({ port: 3, number: { $lt: 100 } })
    .sort({ number: -1 })
    .toArray();
  expect(found.length === 14 && found[0]?.number === 94, `the query found ${found.length}, not 14`);
  return `${DOCUMENTS.length} documents inserted, ${found.length} found`;
}

async function setPaused(journey: Journey, paused: boolean): Promise<void> {
  expectStatus(await journey.client.call('PATCH', clusterPath(journey), { paused }), 200);
  await awaitIdle(journey);
}

export async function pause(journey: Journey): Promise<string> {
  await setPaused(journey, true);
  // Use a new client, since a connected driver would wait for the cluster for the configured time.
  const stranger = new MongoClient(journey.connectionString, { auth: USER, serverSelectionTimeoutMS: 500 });
  const refused = await stranger
    .connect()
    .then(() => false)
    .catch(() => true)
    .finally(() => stranger.close());
  expect(refused, 'the paused cluster accepted a connection');
  return 'connections are refused';
}

export async function resume(journey: Journey): Promise<string> {
  await setPaused(journey, false);
  return countDocuments(journey);
}

export async function countDocuments(journey: Journey): Promise<string> {
  await journey.database?.close();
  await connectDriver(journey);
  const count = await collection(journey).countDocuments({});
  expect(count === DOCUMENTS.length, `found ${count} documents, not ${DOCUMENTS.length}`);
  return `found all ${count} documents`;
}

export async function deleteCluster(journey: Journey): Promise<string> {
  await journey.database?.close();
  const path = clusterPath(journey);
  expectStatus(await journey.client.call('DELETE', path), 202);
  await until(
    () => journey.client.call('GET', path),
    (answer) => answer.status === 404,
    '404',
  );
  expectStatus(await journey.client.call('DELETE', `/groups/${journey.groupId}`), 204);
  return '202, then 404; the project is deleted too';
}
