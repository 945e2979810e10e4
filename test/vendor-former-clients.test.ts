import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import type { Client } from './support/client.ts';
import { expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newCluster, newProject, uniqueName } from './support/stage.ts';

/** Tests what clients of the vendor's former versions send and read: paths without versions, words and versions. */

type Document = Record<string, unknown>;

const LEGACY = '/api/atlas/v1.0';

function get(client: Client, path: string, version: string) {
  return client.get(`/api/atlas/v2${path}`, { accept: `application/vnd.atlas.${version}+json` });
}

onOneSetup('SQLite, one instance', 'former clients of the vendor', (setup) => {
  before(() => {
    const authorities = setup.instances.map(({ authority }) => authority ?? '');
    setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
  });

  test('the path v1.5 serves the shapes of 2023-02-01 as plain JSON', async () => {
    const path = await newProject(setup);
    const regionConfigs = [
      {
        providerName: 'AWS',
        regionName: 'US_EAST_1',
        priority: 7,
        electableSpecs: { instanceSize: 'M10', nodeCount: 3 },
      },
    ];
    const body = {
      name: 'quay',
      clusterType: 'REPLICASET',
      replicationSpecs: [{ numShards: 1, regionConfigs }],
    };
    const made = await setup.owner.post(`/api/atlas/v1.5${path}/clusters`, body);
    assert.partialDeepStrictEqual(expectStatus(made, 201), {
      name: 'quay',
      replicationSpecs: [{ numShards: 1, regionConfigs }],
    });
    assert.equal(made.headers.get('content-type'), 'application/json');
    const [link] = made.json().links as [{ href: string }];
    assert.ok(link.href.endsWith(`/api/atlas/v1.5${path}/clusters/quay`), link.href);
    const former = expectStatus<Document>(await setup.owner.get(`${LEGACY}${path}/clusters/quay`), 200);
    assert.partialDeepStrictEqual(former, { providerSettings: { instanceSizeName: 'M10' } });
    assert.equal((await setup.owner.get(`/api/service/v1.5${path}/clusters`)).status, 404);
  });

  test('a new cluster needs no disk size, and the numbers of shards are in its zones', async () => {
    const path = await newProject(setup);
    const zone = (zoneName: string, region: string) => ({
      zoneName,
      numShards: 1,
      regionsConfig: { [region]: { electableNodes: 3, priority: 7, readOnlyNodes: 0 } },
    });
    const body = {
      name: 'quay',
      clusterType: 'GEOSHARDED',
      numShards: 1,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
      replicationSpecs: [zone('west', 'US_EAST_1'), zone('east', 'EU_WEST_1')],
    };
    const made = expectStatus<Document>(await setup.owner.post(`${LEGACY}${path}/clusters`, body), 201);
    assert.deepEqual(
      [made.numShards, Array.isArray(made.replicationSpecs), made.diskSizeGB],
      [undefined, true, 40],
    );
    const neutral = await setup.owner.post(`${path}/clusters`, { ...body, name: 'pier', numShards: 2 });
    assert.equal(neutral.json().errorCode, 'MISSING_ATTRIBUTE');
  });

  test('access lists have their former name on paths without versions', async () => {
    const path = await newProject(setup);
    const entries = [{ ipAddress: '192.0.2.1' }];
    expectStatus(await setup.owner.post(`${LEGACY}${path}/whitelist`, entries), 201);
    const one = expectStatus(await setup.owner.get(`${LEGACY}${path}/whitelist/192.0.2.1`), 200);
    assert.partialDeepStrictEqual(one, { ipAddress: '192.0.2.1' });
    assert.equal((await setup.owner.get(`/api/atlas/v2${path}/whitelist`)).status, 404);
    assert.equal((await setup.owner.get(`/api/service/v1.0${path}/whitelist`)).status, 404);
    // Former names replace only the fixed segments of a path, not the values in it.
    const named = await setup.owner.get(`${LEGACY}${path}/databaseUsers/admin/whitelist`);
    assert.deepEqual(named.json().parameters, ['whitelist']);
  });

  test('a flag of a query may be written in upper case, only in the form of the vendor', async () => {
    const path = await newProject(setup);
    const query = 'flattenTeams=True&includeCount=FALSE&pretty=True';
    const reply = await setup.owner.get(`${LEGACY}${path}/users?${query}`);
    assert.equal('totalCount' in expectStatus<Document>(reply, 200), false);
    assert.match(reply.text, /^\{\n/);
    const wrong = await setup.owner.get(`${LEGACY}${path}/users?flattenTeams=yes`);
    assert.deepEqual([wrong.status, wrong.json().errorCode], [400, 'INVALID_QUERY_PARAMETER']);
    assert.equal((await setup.owner.get(`/api/service/v1.0${path}/users?flattenTeams=True`)).status, 400);
  });

  test('operations that are not served have the same error on paths without versions', async () => {
    const path = await newProject(setup);
    const { status, text } = await setup.owner.get(`${LEGACY}${path}/streams`);
    assert.deepEqual([status, JSON.parse(text).errorCode], [501, 'RESOURCE_NOT_AVAILABLE']);
  });

  test('the version of the service is a day', async () => {
    const { headers, status } = await fetch(`${setup.bootstrap.url}/api/private/unauth/version`);
    assert.equal(status, 200);
    assert.match(headers.get('x-mongodb-service-version') ?? '', /^gitHash=\w+; versionString=v\d{8}$/);
  });

  test('events have the types and callers of the vendor, and can be selected by them', async () => {
    const path = await newProject(setup);
    const roles = [{ databaseName: 'admin', roleName: 'readAnyDatabase' }];
    const user = { username: 'sailor', password: 'a compass and a chart', databaseName: 'admin', roles };
    expectStatus(await setup.owner.post(`${path}/databaseUsers`, user), 201);
    const list = async (query: string) => {
      const reply = await get(setup.owner, `${path}/events?includeRaw=true&${query}`, '2023-01-01');
      return expectStatus<{ results: Document[] }>(reply, 200).results;
    };
    const [added, ...others] = await list('eventType=MONGODB_USER_ADDED');
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(added, {
      eventTypeName: 'MONGODB_USER_ADDED',
      raw: { et: 'MONGODB_USER_ADDED' },
    });
    const rest = await list('excludedEventType=MONGODB_USER_ADDED');
    assert.equal(
      rest.some(({ eventTypeName }) => String(eventTypeName).endsWith('_USER_ADDED')),
      false,
    );
    const types = expectStatus<{ results: Document[] }>(
      await get(setup.owner, '/eventTypes?itemsPerPage=500', '2023-01-01'),
      200,
    ).results;
    assert.ok(types.some(({ eventType }) => eventType === 'MONGODB_USER_ADDED'));
    assert.equal(
      types.find(({ links }) => links !== undefined),
      undefined,
    );
  });

  test('names of service accounts have their beginning everywhere', async () => {
    const { orgId } = setup.bootstrap;
    const body = { name: 'a', description: 'b', roles: ['ORG_READ_ONLY'], secretExpiresAfterHours: 8 };
    const path = `/api/atlas/v2/orgs/${orgId}/serviceAccounts`;
    const accept = 'application/vnd.atlas.2024-08-05+json';
    const { clientId } = expectStatus<Document>(await setup.owner.send('POST', path, body, { accept }), 201);
    const read = expectStatus(await setup.owner.get(`${path}/${clientId}`, { accept }), 200);
    const [{ maskedSecretValue }] = read.secrets as [{ maskedSecretValue: string }];
    assert.match(maskedSecretValue, /^mdb_sa_sk_\*+/);
    const feed = await get(
      setup.owner,
      `/orgs/${orgId}/events?eventType=SERVICE_ACCOUNT_CREATED`,
      '2023-01-01',
    );
    const events = expectStatus<{ results: Document[] }>(feed, 200).results;
    assert.ok(events.some(({ targetUsername }) => targetUsername === clientId));
    expectStatus(await setup.owner.delete(`${path}/${clientId}`, { accept }), 204);
  });

  test('a changed role of a member is shown as the project sees it', async () => {
    const path = await newProject(setup);
    const username = `${uniqueName('mate')}@example.org`;
    const { id } = expectStatus<Document>(
      await setup.owner.post(`${path}/users`, { username, roles: ['GROUP_READ_ONLY'] }),
      201,
    );
    const accept = 'application/vnd.atlas.2025-02-19+json';
    const url = `/api/atlas/v2${path}/users/${id}`;
    const role = { groupRole: 'GROUP_OWNER' };
    const more = expectStatus(await setup.owner.send('POST', `${url}:addRole`, role, { accept }), 200);
    assert.deepEqual([...(more.roles as string[])].sort(), ['GROUP_OWNER', 'GROUP_READ_ONLY']);
    const less = expectStatus(await setup.owner.send('POST', `${url}:removeRole`, role, { accept }), 200);
    assert.deepEqual(less.roles, ['GROUP_READ_ONLY']);
    const neutral = expectStatus(await setup.owner.post(`${path}/users/${id}:addRole`, role), 200);
    assert.ok('groupRoleAssignments' in (neutral.roles as object));
    assert.equal('inProject' in neutral, false);
  });

  test('operations exist from the versions in which the vendor has them', async () => {
    const path = await newProject(setup);
    const cluster = await newCluster(setup, path, 'quay');
    const advice = await get(setup.owner, `${cluster}/performanceAdvisor/schemaAdvice`, '2024-08-05');
    assert.equal(advice.headers.get('content-type'), 'application/vnd.atlas.2024-08-05+json;charset=utf-8');
    const nodes = await get(setup.owner, `${cluster}/search/deployment`, '2023-01-01');
    assert.equal(nodes.json().errorCode, 'ATLAS_SEARCH_DEPLOYMENT_DOES_NOT_EXIST');
    const log = await fetchLog(`${LEGACY}${path}/clusters/127.0.0.1/logs/mongodb.gz`);
    assert.match(log, /"msg"/);
    const former = expectStatus<Document>(await setup.owner.get(`${LEGACY}${cluster}`), 200);
    const { autoScaling } = former as { autoScaling: { compute: object } };
    assert.equal('predictiveEnabled' in autoScaling.compute, false);
  });

  async function fetchLog(path: string): Promise<string> {
    const { url, clientId, clientSecret } = setup.bootstrap;
    const answer = await fetch(`${url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const log = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(log.status, 200);
    return gunzipSync(Buffer.from(await log.arrayBuffer())).toString();
  }
});
