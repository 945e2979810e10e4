import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { MongoClient } from 'mongodb';
import type { Client } from './support/client.ts';
import { SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject, uniqueName } from './support/stage.ts';

/** The vendor's form of the API, beside the neutral one and on the same data. */

const connectApi = createRequire(import.meta.url)(
  'mongodb-atlas-api-client',
) as typeof import('mongodb-atlas-api-client').default;

type Document = Record<string, unknown>;

const BASE = '/api/atlas/v2';
const accept = 'application/vnd.atlas.2025-03-12+json';

/** Calls paths below the versioned base path of the vendor. */
function vendorCalls(client: Client) {
  return async (method: string, path: string, body?: unknown) => {
    const reply = await client.send(method, BASE + path, body, { accept });
    const type = reply.headers.get('content-type');
    return { status: reply.status, type, body: (reply.text === '' ? undefined : reply.json()) as Document };
  };
}

onOneSetup('SQLite, one instance', "the vendor's form of the API", (setup) => {
  before(() => {
    const authorities = setup.instances.map(({ authority }) => authority ?? '');
    setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
  });

  const regionConfigs = [
    {
      providerName: 'AWS',
      regionName: 'US_EAST_1',
      priority: 7,
      electableSpecs: { instanceSize: 'M10', nodeCount: 3 },
    },
  ];

  test('a cluster and its users have the vendor names, and a driver logs in', async (t) => {
    const call = vendorCalls(setup.owner);
    const path = await newProject(setup);
    const made = await call('POST', `${path}/clusters`, {
      name: 'quay',
      clusterType: 'REPLICASET',
      mongoDBMajorVersion: '8.0',
      replicationSpecs: [{ regionConfigs }],
      createDate: '0001-01-01T00:00:00Z',
      labels: [{ key: 'dbMajorVersion', value: 'lib.standard' }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(made.type, 'application/vnd.atlas.2024-10-23+json;charset=utf-8');
    assert.partialDeepStrictEqual(made.body, {
      mongoDBMajorVersion: '8.0',
      labels: [{ key: 'dbMajorVersion', value: 'lib.standard' }],
      replicationSpecs: [{ regionConfigs }],
    });
    const roles = [{ roleName: 'atlasAdmin', databaseName: 'admin' }];
    const user = { ...SAILOR, databaseName: 'admin', groupId: path.slice('/groups/'.length), roles };
    const added = await call('POST', `${path}/databaseUsers`, user);
    assert.deepEqual([added.status, added.body.roles], [201, roles]);
    await call('POST', `${path}/accessList`, [{ ipAddress: '127.0.0.1' }]);
    const idle = await until(
      'IDLE',
      () => call('GET', `${path}/clusters/quay`),
      ({ body }) => body.stateName === 'IDLE',
    );
    const status = async () =>
      expectStatus<Document>(await setup.owner.get(`${path}/clusters/quay/status`), 200);
    await until('APPLIED', status, ({ changeStatus }) => changeStatus === 'APPLIED');
    const { standard } = idle.body.connectionStrings as { standard: string };
    const driver = await new MongoClient(standard, { auth: SAILOR }).connect();
    t.after(() => driver.close());
    assert.equal((await driver.db('admin').command({ ping: 1 })).ok, 1);
    const neutral = expectStatus<Document>(await setup.owner.get(`${path}/clusters/quay`), 200);
    assert.deepEqual([neutral.dbMajorVersion, neutral.mongoDBMajorVersion], ['8.0', undefined]);
    const stored = await setup.owner.get(`${path}/databaseUsers/admin/sailor`);
    assert.partialDeepStrictEqual(stored.json(), { roles: [{ roleName: 'platformAdmin' }] });
  });

  test('a service account logs in with the id and secret that the vendor form shows', async () => {
    const call = vendorCalls(setup.owner);
    const { orgId, url } = setup.bootstrap;
    const body = { name: 'a', description: 'b', roles: ['ORG_READ_ONLY'], secretExpiresAfterHours: 8 };
    const { body: account } = await call('POST', `/orgs/${orgId}/serviceAccounts`, body);
    const [{ secret }] = account.secrets as [{ secret: string }];
    assert.match(`${account.clientId} ${secret}`, /^mdb_sa_id_[a-f0-9]+ mdb_sa_sk_\S+$/);
    const answer = await fetch(`${url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${account.clientId}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const path = `/orgs/${orgId}/serviceAccounts/${account.clientId}`;
    const read = await fetch(url + BASE + path, {
      headers: { accept, authorization: `Bearer ${access_token}` },
    });
    assert.partialDeepStrictEqual(await read.json(), { clientId: account.clientId, name: 'a' });
    assert.equal((await call('DELETE', path)).status, 204);
  });

  test('limits, errors and operations that are not served have the vendor names', async () => {
    const call = vendorCalls(setup.owner);
    const path = await newProject(setup);
    const limit = 'atlas.project.deployment.clusters';
    const { body } = await call('GET', `${path}/limits/${limit}`);
    assert.equal(body.name, limit);
    const missing = await call('GET', `${path}/customDBRoles/roles/pilot`);
    assert.deepEqual([missing.status, missing.body.errorCode], [404, 'ATLAS_CUSTOM_ROLE_NOT_FOUND']);
    const streams = await call('GET', `${path}/streams`);
    assert.deepEqual([streams.status, streams.body.errorCode], [501, 'RESOURCE_NOT_AVAILABLE']);
    const versions = await call('GET', `${path}/mongoDBVersions`);
    assert.equal(versions.status, 200);
    const document = await setup.owner.get('/api/atlas/openapi/2025-03-12.json');
    assert.partialDeepStrictEqual(document.json(), {
      info: { title: 'MongoDB Atlas Administration API' },
      paths: { [`${BASE}/groups/{groupId}/mongoDBVersions`]: {} },
    });
  });

  test('a public client works with nothing but the base URL of the service', async () => {
    const { publicKey, privateKey, url, orgId } = setup.bootstrap;
    const { project } = connectApi({
      publicKey,
      privateKey,
      baseUrl: `${url}/api/atlas/v1.0`,
      projectId: '',
    });
    const made = await project.create({ name: uniqueName('vendor'), orgId });
    const { links } = made as unknown as { links: readonly { href: string }[] };
    assert.ok(links.every(({ href }) => href.startsWith(`${url}/api/atlas/v1.0/`)));
    assert.deepEqual(await project.getById(made.id), made);
    assert.equal(await project.delete(made.id), true);
  });
});
