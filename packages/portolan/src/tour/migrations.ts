import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { clusterPath, expect, expectStatus, type Journey, PATIENCE_MS, USER, until } from './steps.ts';

const TARGET = 'moved';
/** The user with which the migration reads the source. */
const READER = { username: 'reader', password: 'a lamp and a log' };

/** Copies the cluster of the tour to another cluster, with all changes until the cutover. */
export async function migrateCluster(journey: Journey): Promise<string> {
  const { client, orgId, groupId } = journey;
  const links = `/orgs/${orgId}/liveMigrations/linkTokens`;
  const { linkToken } = expectStatus(await client.call('POST', links, { accessListIps: ['127.0.0.1'] }), 201);
  const roles = ['readAnyDatabase', 'clusterMonitor'].map((roleName) => ({
    roleName,
    databaseName: 'admin',
  }));
  const user = { ...READER, databaseName: 'admin', roles };
  expectStatus(await client.call('POST', `/groups/${groupId}/databaseUsers`, user), 201);
  const host = startHost(journey, String(linkToken));
  const target = clusterPath(journey).replace(/[^/]+$/, TARGET);
  try {
    const providerSettings = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' };
    const body = { name: TARGET, providerSettings };
    expectStatus(await client.call('POST', `/groups/${groupId}/clusters`, body), 201);
    await until(
      () => client.call('GET', target),
      (answer) => answer.body.stateName === 'IDLE',
      'IDLE',
    );
    const migration = await begin(journey);
    await until(
      () => client.call('GET', migration),
      (answer) => answer.body.readyForCutover === true,
      'readiness',
    );
    expectStatus(await client.call('PUT', `${migration}/cutover`), 202);
    await until(
      () => client.call('GET', migration),
      (answer) => answer.body.status === 'COMPLETE',
      'COMPLETE',
    );
    const count = await countIn(journey, target);
    expectStatus(await client.call('DELETE', target), 202);
    await until(
      () => client.call('GET', target),
      (answer) => answer.status === 404,
      '404',
    );
    expectStatus(await client.call('DELETE', links), 204);
    return `${count} documents were copied`;
  } finally {
    host.kill('SIGTERM');
    if (host.exitCode === null) await once(host, 'exit');
  }
}

function startHost({ connectionString, authorityFile }: Journey, token: string): ChildProcess {
  const main = join(import.meta.dirname, '..', `main${extname(import.meta.filename)}`);
  const login = `${READER.username}:${encodeURIComponent(READER.password)}@`;
  const source = connectionString.replace('mongodb://', `tour=mongodb://${login}`);
  const args = ['link', '--source', source, '--ca-file', authorityFile];
  return spawn(process.execPath, [...process.execArgv, main, ...args], {
    stdio: 'ignore',
    env: { ...process.env, PORTOLAN_LINK_TOKEN: token },
  });
}

/** Starts a migration, and returns its path. */
async function begin({ client, orgId, groupId }: Journey): Promise<string> {
  const available = `/orgs/${orgId}/liveMigrations/availableProjects`;
  const { body } = await until(
    () => client.call('GET', available),
    (answer) => (answer.body as unknown as readonly unknown[]).length > 0,
    'a report of the migration host',
  );
  const [project] = body as unknown as readonly { readonly projectId: string }[];
  const asked = {
    destination: { clusterName: TARGET, groupId, hostnameSchemaType: 'PUBLIC' },
    source: { clusterName: 'tour', groupId: project?.projectId, managedAuthentication: true, ssl: false },
  };
  const path = `/groups/${groupId}/liveMigrations`;
  const validation = expectStatus(await client.call('POST', `${path}/validate`, asked), 200);
  const { body: judged } = await until(
    () => client.call('GET', `${path}/validate/${validation._id}`),
    (answer) => answer.body.status !== 'PENDING',
    'a validation',
  );
  expect(judged.status === 'SUCCESS', String(judged.errorMessage));
  const { _id } = expectStatus(await client.call('POST', path, asked), 201);
  return `${path}/${_id}`;
}

async function countIn({ client }: Journey, target: string): Promise<number> {
  const { body } = await client.call('GET', target);
  const { standard = '' } = body.connectionStrings as { readonly standard?: string };
  const database = new MongoClient(standard, { auth: USER, serverSelectionTimeoutMS: PATIENCE_MS });
  try {
    const count = await database.db('harbour').collection('ports').countDocuments();
    expect(count > 0, 'no document was copied');
    return count;
  } finally {
    await database.close();
  }
}
