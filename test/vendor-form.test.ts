import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { MongoClient } from 'mongodb';
import type { Client } from './support/client.ts';
import { LONG_TIMEOUTS, SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newCluster, newProject, uniqueName } from './support/stage.ts';

/** Tests the vendor's form of the API, which the service offers next to the neutral form, on the same data. */

const connectApi = createRequire(import.meta.url)(
  'mongodb-atlas-api-client',
) as typeof import('mongodb-atlas-api-client').default;

type Document = Record<string, unknown>;

const BASE = '/api/atlas/v2';
const accept = 'application/vnd.atlas.2025-03-12+json';

/** Returns a function that calls paths below the vendor's versioned base path. */
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
    assert.deepEqual(['tags' in made.body, 'links' in made.body], [false, true]);
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
    assert.deepEqual(idle.body.tags, []);
    const { standard } = idle.body.connectionStrings as { standard: string };
    const driver = await MongoClient.connect(standard, { auth: SAILOR, ...LONG_TIMEOUTS });
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
    assert.equal(account.systemManaged, false);
    const [{ secret }] = account.secrets as [{ secret: string }];
    assert.match(`${account.clientId} ${secret}`, /^mdb_sa_id_[a-f0-9]+ mdb_sa_sk_\S+$/);
    const answer = await fetch(`${url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${account.clientId}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const form = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: String(account.clientId), client_secret: secret },
    });
    const inForm = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: form });
    assert.equal(inForm.status, 200, await inForm.text());
    form.set('client_secret', 'wrong');
    const wrong = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: form });
    assert.equal(wrong.status, 401, await wrong.text());
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

  test('projects, settings and windows have the statuses and fields of the vendor', async () => {
    const call = vendorCalls(setup.owner);
    const { orgId } = setup.bootstrap;
    const project = { name: uniqueName('vendor'), orgId, withDefaultAlertsSettings: false };
    const made = await call('POST', '/groups', project);
    assert.equal(made.status, 201);
    const { clusterCount, withDefaultAlertsSettings, regionUsageRestrictions, tags } = made.body;
    assert.deepEqual(
      [clusterCount, withDefaultAlertsSettings, regionUsageRestrictions, tags],
      [0, false, undefined, undefined],
    );
    const path = `/groups/${made.body.id}`;
    assert.deepEqual((await call('GET', path)).body.tags, []);
    const refused = await call('PATCH', path, { tags: [{ key: 'team', value: 'a/b' }] });
    assert.deepEqual([refused.status, refused.body.parameters], [400, ['tags.0.value']]);
    expectStatus(await setup.owner.patch(path, { tags: [{ key: 'team', value: 'a/b' }] }), 200);
    const neutral = expectStatus<Document>(await setup.owner.get(path), 200);
    assert.deepEqual(
      [neutral.withDefaultAlertsSettings, neutral.regionUsageRestrictions],
      [undefined, 'COMMERCIAL_FEDRAMP_REGIONS_ONLY'],
    );
    const settings = await call('PATCH', `${path}/settings`, { isDataValidationEnabled: false });
    assert.deepEqual(
      [settings.body.isDataValidationEnabled, settings.body.isNativeRerankingEnabled, settings.body.links],
      [false, true, undefined],
    );
    const window = { dayOfWeek: 1, hourOfDay: 1, protectedHours: { startHourOfDay: 2, endHourOfDay: 4 } };
    assert.equal((await call('PATCH', `${path}/maintenanceWindow`, window)).status, 200);
    assert.deepEqual((await call('GET', `${path}/maintenanceWindow`)).body, {
      autoDeferOnceEnabled: false,
      numberOfDeferrals: 0,
      startASAP: false,
      timeZoneId: 'UTC',
      ...window,
    });
    await call('PATCH', `${path}/maintenanceWindow`, { dayOfWeek: 2, protectedHours: {} });
    assert.equal((await call('GET', `${path}/maintenanceWindow`)).body.protectedHours, undefined);
    const entry = await call('POST', `${path}/accessList`, [{ ipAddress: '127.0.0.1' }]);
    assert.equal(entry.status, 201);
    assert.deepEqual((await call('DELETE', path)).status, 202);
  });

  test('search indexes and online archives have the fields, statuses and error codes of the vendor', async () => {
    const call = vendorCalls(setup.owner);
    const cluster = await newCluster(setup, await newProject(setup), 'library');
    const definition = { mappings: { dynamic: true } };
    const index = { collectionName: 'books', database: 'shop', name: 'words', definition };
    const made = await call('POST', `${cluster}/search/indexes`, index);
    assert.deepEqual([made.status, made.body.latestDefinitionVersion], [201, { version: 0 }]);
    const { indexID } = made.body;
    const { latestDefinitionVersion } = (await call('GET', `${cluster}/search/indexes/${indexID}`)).body;
    assert.deepEqual(Object.keys(latestDefinitionVersion as object).sort(), ['createdAt', 'version']);

    const criteria = { dateField: 'at', expireAfterDays: 3 };
    const rule = { dbName: 'harbour', collName: 'calls', criteria };
    const archive = await call('POST', `${cluster}/onlineArchives`, rule);
    assert.equal(archive.status, 200, JSON.stringify(archive.body));
    const path = `${cluster}/onlineArchives/${archive.body._id}`;
    assert.equal((await call('DELETE', path)).status, 200);
    const gone = await call('GET', path);
    assert.deepEqual([gone.status, gone.body.errorCode], [404, 'RESOURCE_NOT_FOUND']);
  });

  test('integrations have the field names of their kind', async () => {
    const call = vendorCalls(setup.owner);
    const path = `${await newProject(setup)}/integrations`;
    const apiKey = '0123456789abcdef0123456789abcdef';
    const made = await call('POST', `${path}/DATADOG`, { type: 'DATADOG', apiKey, region: 'EU' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const metrics = { sendDatabaseMetrics: true };
    await call('PUT', `${path}/DATADOG`, { type: 'DATADOG', apiKey, region: 'EU', ...metrics });
    const routed = { type: 'VICTOR_OPS', apiKey, routingKey: 'harbour' };
    assert.equal((await call('POST', `${path}/VICTOR_OPS`, routed)).status, 200);
    const { id: _, ...monitoring } = (await call('GET', `${path}/DATADOG`)).body;
    assert.deepEqual(monitoring, {
      apiKey: '********cdef',
      customEndpoint: null,
      region: 'EU',
      sendCollectionLatencyMetrics: false,
      sendDatabaseMetrics: true,
      sendQueryStatsMetrics: false,
      sendUserProvidedResourceTags: false,
      type: 'DATADOG',
    });
    const { id: __, ...incidents } = (await call('GET', `${path}/VICTOR_OPS`)).body;
    assert.deepEqual(incidents, { ...routed, apiKey: '********cdef' });
    const missing = await call('POST', `${path}/OPS_GENIE`, { type: 'OPS_GENIE' });
    assert.deepEqual([missing.status, missing.body.parameters], [400, ['apiKey']]);
  });

  test('services that monitor clusters have integrations, whose secrets are hidden', async () => {
    const call = vendorCalls(setup.owner);
    const path = `${await newProject(setup)}/integrations`;
    const discovery = { type: 'PROMETHEUS', enabled: true, serviceDiscovery: 'http', username: 'prom_user' };
    const made = await call('POST', `${path}/PROMETHEUS`, { ...discovery, password: 'prom password' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { id: _, ...shown } = (await call('GET', `${path}/PROMETHEUS`)).body;
    assert.deepEqual(shown, { ...discovery, sendUserProvidedResourceTagsEnabled: false });
    const changed = await call('PUT', `${path}/PROMETHEUS`, { ...discovery, enabled: false });
    assert.partialDeepStrictEqual(changed.body, { results: [{ enabled: false }] });
    const keys = { licenseKey: 'license-key', readToken: 'query-token', writeToken: 'insert-token' };
    const account = { type: 'NEW_RELIC', accountId: '0123456789' };
    const missing = await call('POST', `${path}/NEW_RELIC`, { ...keys, type: 'NEW_RELIC' });
    assert.deepEqual([missing.status, missing.body.parameters], [400, ['accountId']]);
    assert.equal((await call('POST', `${path}/NEW_RELIC`, { ...account, ...keys })).status, 200);
    const { id: __, ...masked } = (await call('GET', `${path}/NEW_RELIC`)).body;
    const tokens = { readToken: '********oken', writeToken: '********oken' };
    assert.deepEqual(masked, { ...account, licenseKey: '********-key', ...tokens });
  });

  test('a cluster can require TLS 1.3 and name its ciphers', async () => {
    const call = vendorCalls(setup.owner);
    const path = `${await newProject(setup)}/clusters`;
    const cluster = { name: 'quay', clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] };
    const customOpensslCipherConfigTls13 = ['TLS_AES_256_GCM_SHA384'];
    const tls = { minimumEnabledTlsProtocol: 'TLS1_3', customOpensslCipherConfigTls13 };
    const refused = await call('POST', path, { ...cluster, advancedConfiguration: tls });
    assert.deepEqual(
      [refused.status, refused.body.parameters],
      [400, ['customOpensslCipherConfigTls13']],
      JSON.stringify(refused.body),
    );
    const custom = { ...tls, tlsCipherConfigMode: 'CUSTOM' };
    const made = await call('POST', path, { ...cluster, advancedConfiguration: custom });
    const all = { ...custom, customOpensslCipherConfigTls12: [] };
    assert.deepEqual(made.body.advancedConfiguration, all, JSON.stringify(made.body));
    const read = () => call('GET', `${path}/quay`);
    const idle = () => until('IDLE', read, ({ body }) => body.stateName === 'IDLE');
    await idle();
    const standard = { minimumEnabledTlsProtocol: 'TLS1_2', tlsCipherConfigMode: 'DEFAULT' };
    const changed = await call('PATCH', `${path}/quay/processArgs`, standard);
    assert.partialDeepStrictEqual(changed.body, { ...standard, customOpensslCipherConfigTls13: [] });
    await idle();
    const again = await call('PATCH', `${path}/quay/processArgs`, custom);
    assert.partialDeepStrictEqual(again.body, all);
    assert.deepEqual((await idle()).body.advancedConfiguration, all);
    await call('DELETE', `${path}/quay`);
  });

  test('settings, roles and actions have the values of the vendor', async () => {
    const call = vendorCalls(setup.owner);
    const path = await newProject(setup);
    const { orgId } = setup.bootstrap;
    const contacts = {
      operationsContact: 'crew@example.org',
      customSessionTimeouts: { absoluteSessionTimeoutInSeconds: 3600, idleSessionTimeoutInSeconds: null },
    };
    const settings = await call('PATCH', `/orgs/${orgId}/settings`, contacts);
    assert.partialDeepStrictEqual(settings.body, contacts);
    const reset = { operationsContact: null, customSessionTimeouts: null };
    assert.partialDeepStrictEqual((await call('PATCH', `/orgs/${orgId}/settings`, reset)).body, reset);
    const key = { desc: 'streams', roles: ['ORG_STREAM_PROCESSING_ADMIN'] };
    const made = await call('POST', `/orgs/${orgId}/apiKeys`, key);
    assert.partialDeepStrictEqual(made.body, { roles: [{ roleName: 'ORG_STREAM_PROCESSING_ADMIN' }] });
    assert.equal((await call('DELETE', `/orgs/${orgId}/apiKeys/${made.body.id}`)).status, 204);
    const actions = [{ action: 'OUT_TO_S3', resources: [{ cluster: true, db: '', collection: '' }] }];
    const role = await call('POST', `${path}/customDBRoles/roles`, { roleName: 'export', actions });
    assert.equal(role.status, 202, JSON.stringify(role.body));
    const keys = await call('GET', `${path}/encryptionAtRest`);
    assert.equal(keys.body.enabledForSearchNodes, false);
  });

  test('a path cannot name an unknown cloud provider', async () => {
    const call = vendorCalls(setup.owner);
    const path = await newProject(setup);
    for (const services of ['privateEndpoint/IBM/endpointService', 'encryptionAtRest/IBM/privateEndpoints']) {
      const { status, body } = await call('GET', `${path}/${services}`);
      assert.deepEqual([status, body.parameters], [400, ['cloudProvider']]);
    }
  });

  test('roles on the cluster and filters in the style of a shell are accepted', async () => {
    const call = vendorCalls(setup.owner);
    const path = await newProject(setup);
    const resources = [{ cluster: true, collection: '', db: '' }];
    const role = { roleName: 'watch', actions: [{ action: 'LIST_SESSIONS', resources }] };
    const made = await call('POST', `${path}/customDBRoles/roles`, role);
    assert.deepEqual(
      [made.status, made.body.actions],
      [202, [{ action: 'LIST_SESSIONS', resources: [{ cluster: true }] }]],
    );
    const auditFilter = "{ 'atype': 'authenticate', param: { db: 'admin' } }";
    const audit = await call('PATCH', `${path}/auditLog`, { auditFilter: `${auditFilter}\n`, enabled: true });
    assert.deepEqual(
      [audit.status, audit.body],
      [
        202,
        { auditAuthorizationSuccess: false, auditFilter, configurationType: 'FILTER_JSON', enabled: true },
      ],
    );
    const bad = await call('PATCH', `${path}/auditLog`, { auditFilter: '[1]' });
    assert.equal(bad.body.errorCode, 'INVALID_ATTRIBUTE');
  });

  test('a search index shows its type only if its creation named one', async () => {
    const call = vendorCalls(setup.owner);
    const project = await newProject(setup);
    const specs = [{ regionConfigs }];
    await call('POST', `${project}/clusters`, {
      ...{ name: 'quay', clusterType: 'REPLICASET', replicationSpecs: specs },
    });
    const idle = () => call('GET', `${project}/clusters/quay`);
    await until('IDLE', idle, ({ body }) => body.stateName === 'IDLE');
    const index = { collectionName: 'ports', database: 'harbour' };
    const definition = { mappings: { dynamic: true } };
    const path = `${project}/clusters/quay`;
    const named = await call('POST', `${path}/search/indexes`, {
      ...{ ...index, name: 'named', type: 'search', definition },
    });
    assert.deepEqual([named.status, named.body.type, named.body.isUntyped], [201, 'search', undefined]);
    const plain = await call('POST', `${path}/search/indexes`, { ...index, name: 'plain', definition });
    assert.deepEqual([plain.body.type, plain.body.isUntyped], [undefined, undefined]);
    const one = `${path}/fts/indexes/${plain.body.indexID}`;
    const former = await call('GET', one);
    assert.deepEqual([former.body.type, former.body.isUntyped], [undefined, undefined]);
    const neutral = expectStatus<Document>(await setup.owner.get(one), 200);
    assert.deepEqual([neutral.type, neutral.isUntyped], ['search', undefined]);
    await call('DELETE', path);
  });

  test('search nodes of a cluster that has none are an empty document since 2025-03-12', async () => {
    const call = vendorCalls(setup.owner);
    const project = await newProject(setup);
    const specs = [{ regionConfigs }];
    const cluster = { name: 'quay', clusterType: 'REPLICASET', replicationSpecs: specs };
    const made = await call('POST', `${project}/clusters`, cluster);
    const [effective] = made.body.effectiveReplicationSpecs as [{ regionConfigs: [Document] }];
    const [spec] = made.body.replicationSpecs as [{ regionConfigs: [Document] }];
    const [{ effectiveAnalyticsSpecs, effectiveElectableSpecs, effectiveReadOnlySpecs, ...region }] =
      spec.regionConfigs;
    assert.deepEqual({ ...spec, regionConfigs: [region] }, effective);
    const { analyticsSpecs, electableSpecs, readOnlySpecs, analyticsAutoScaling, autoScaling } = region;
    assert.deepEqual(
      [effectiveAnalyticsSpecs, effectiveElectableSpecs, effectiveReadOnlySpecs],
      [analyticsSpecs, electableSpecs, readOnlySpecs],
    );
    const { advancedConfiguration, replicaSetScalingStrategy } = made.body;
    assert.partialDeepStrictEqual(advancedConfiguration, { customOpensslCipherConfigTls13: [] });
    assert.equal(replicaSetScalingStrategy, undefined);
    assert.equal(analyticsAutoScaling, undefined);
    assert.deepEqual(autoScaling, {
      compute: { enabled: false, scaleDownEnabled: false },
      diskGB: { enabled: false },
    });
    const path = `${BASE}${project}/clusters/quay/search/deployment`;
    const nodes = async (date: string) => {
      const reply = await setup.owner.send('GET', path, undefined, {
        accept: `application/vnd.atlas.${date}+json`,
      });
      return reply.status === 200 ? reply.json() : (reply.json() as Document).errorCode;
    };
    assert.deepEqual(
      [await nodes('2025-03-12'), await nodes('2024-05-30')],
      [{}, 'ATLAS_SEARCH_DEPLOYMENT_DOES_NOT_EXIST'],
    );
    await call('DELETE', `${project}/clusters/quay`);
  });

  test("the vendor's tools can call their endpoints outside of the API, and telemetry is discarded", async () => {
    const { url } = setup.bootstrap;
    const get = async (path: string) => (await fetch(`${url}/api/private/${path}`)).text();
    assert.deepEqual(JSON.parse(await get('ipinfo')), { currentIpv4Address: '127.0.0.1' });
    assert.equal(await get('unauth/nds/defaultMongoDBMajorVersion'), '8.0');
    const sent = await fetch(`${url}/api/private/v1.0/telemetry/events`, { method: 'POST', body: '[{}]' });
    assert.deepEqual([sent.status, await sent.text()], [200, '']);
  });

  test('a notification with an interval of 0 minutes has the default interval', async () => {
    const call = vendorCalls(setup.owner);
    const path = `${await newProject(setup)}/alertConfigs`;
    const mail = { typeName: 'EMAIL', emailAddress: 'a@example.org', delayMin: 0, intervalMin: 0 };
    const alert = { eventTypeName: 'NO_PRIMARY', enabled: true, notifications: [mail] };
    const { status, body } = await call('POST', path, alert);
    assert.equal(status, 201, JSON.stringify(body));
    assert.partialDeepStrictEqual(body, { notifications: [{ ...mail, intervalMin: 60 }] });
  });

  test('matchers of alert configurations have the field names of the vendor', async () => {
    const call = vendorCalls(setup.owner);
    const { body: names } = await call('GET', '/alertConfigs/matchers/fieldNames');
    assert.ok(Array.isArray(names) && names.includes('ATLAS_NODE_TYPE') && names.includes('CLUSTER_NAME'));
    const path = `${await newProject(setup)}/alertConfigs`;
    const matchers = [{ fieldName: 'ATLAS_NODE_TYPE', operator: 'EQUALS', value: 'ANALYTICS' }];
    const notifications = [{ typeName: 'EMAIL', emailAddress: 'a@example.org' }];
    const made = await call('POST', path, { eventTypeName: 'HOST_DOWN', matchers, notifications });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.body.matchers, matchers);
    const neutral = expectStatus(await setup.owner.get(`${path}/${made.body.id}`), 200);
    assert.partialDeepStrictEqual(neutral, { matchers: [{ fieldName: 'PLATFORM_NODE_TYPE' }] });
  });

  test('a team needs no members', async () => {
    const call = vendorCalls(setup.owner);
    const path = `/orgs/${setup.bootstrap.orgId}/teams`;
    const { status, body } = await call('POST', path, { name: uniqueName('team') });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await call('DELETE', `${path}/${body.id}`)).status, 204);
    const neutral = await setup.owner.post(path, { name: uniqueName('team') });
    assert.equal((neutral.json() as Document).errorCode, 'MISSING_ATTRIBUTE');
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
    assert.deepEqual(await project.getById(made.id), { ...made, tags: [] });
    assert.equal(await project.delete(made.id), true);
  });
});
