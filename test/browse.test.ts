import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { backedUp, backupsOf, into } from './support/backups.ts';
import { crawl } from './support/crawler.ts';
import { allowAccess } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { federationOf } from './support/federation.ts';
import { type IsolationOptions, type KnownPath, testIsolation } from './support/generated/isolation.ts';
import { Pools } from './support/generated/pools.ts';
import { knownValues } from './support/generated/stage.ts';
import { startGoogleStorage } from './support/google-storage.ts';
import { loadDocuments } from './support/openapi.ts';
import { dice } from './support/random.ts';
import { own, type Setup } from './support/setups.ts';
import { idIn, idle, type ListDocument, newCluster, newOrganization, newProject } from './support/stage.ts';
import { people } from './support/users.ts';

const google = await startGoogleStorage();
after(() => google.stop());

/**
 * These operations need a collection, which only drivers can create. The legacy path has no list of all search indexes.
 */
const ofCollections = [
  'listPlatformSearchIndexesDeprecated',
  'getPlatformSearchIndexDeprecated',
  'listIndexMetrics',
  'getIndexMetrics',
];

/** Operations whose ids are not in any list, but only in the response to a creation. */
const toldOnce = ['getValidationStatus', 'getPushMigration'];

/**
 * Ids of the GET operations that the coverage report lists as served. For v1.0, only operations that exist in the first
 * version.
 */
function servedReads(family: string): string[] {
  const report = readFileSync(join(import.meta.dirname, '../docs/coverage.md'), 'utf8');
  const rows = report.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows
    .filter(([, , method, , , , state]) => method === 'GET' && state?.startsWith('served'))
    .filter(([, , , , , versions]) => !family.endsWith('v1.0') || versions?.includes('2023-01-01'))
    .map(([, id = '']) => id.replaceAll('`', ''))
    .filter((id) => !(family.endsWith('v1.0') && ofCollections.includes(id)));
}

/** The owner of another organization, and the paths of resources in both organizations. */
type Stranger = Pick<IsolationOptions, 'client' | 'own' | 'theirs'>;

/** Creates a key with an access list, and a service account, both with a role on a project. */
async function programs({ owner, bootstrap }: Setup, project: string): Promise<void> {
  const roles = ['GROUP_READ_ONLY'];
  const made = await owner.post(`${project}/apiKeys`, { desc: 'a program', roles });
  const { id } = expectStatus<{ id: string }>(made, 200);
  const list = `/orgs/${bootstrap.orgId}/apiKeys/${id}/accessList`;
  expectStatus(await owner.post(list, [{ ipAddress: '192.0.2.7' }, { cidrBlock: '2001:db8::/48' }]), 200);
  const account = { name: 'a program', description: 'of a project', roles, secretExpiresAfterHours: 8 };
  expectStatus(await owner.post(`${project}/serviceAccounts`, account), 201);
}

/** Creates a snapshot and a restore of each kind of cluster. */
async function backups(setup: Setup, project: string): Promise<void> {
  const { owner, operator } = setup;
  const { taken, restored } = backupsOf(setup);
  const wide = { ...backedUp, clusterType: 'SHARDED', numShards: 1 };
  await newCluster(setup, project, 'wide', wide);
  for (const [name, kind] of [
    ['fleet', ''],
    ['wide', '/shardedCluster'],
  ] as const) {
    const cluster = `${project}/clusters/${name}`;
    const { id } = await taken(cluster, kind);
    await restored(cluster, into(project, name, id));
    const [bucket] = expectStatus<ListDocument>(
      await owner.get(`${project}/backup/exportBuckets`),
      200,
    ).results;
    const wanted = { snapshotId: id, exportBucketId: bucket?._id };
    expectStatus(await owner.post(`${cluster}/backup/exports`, wanted), 200);
  }
  const [flex, serverless] = [`${project}/flexClusters/bend`, `${project}/serverless/cloud`];
  await Promise.all([idle(owner, flex), idle(owner, serverless)]);
  expectStatus(await operator.patch('/operator/v1/clock', { advanceSeconds: 24 * 3600 }), 200);
  const newest = async (path: string) => {
    const list = () => owner.get(`${path}/backup/snapshots`);
    const isOver = ({ status = '' }: { status?: unknown }) => /completed/i.test(String(status));
    const reply = await until(`${path} taken`, list, (one) => one.json<ListDocument>().results.some(isOver));
    return expectStatus<ListDocument>(reply, 200).results.find(isOver)?.id;
  };
  const toFlex = { snapshotId: await newest(flex), targetDeploymentItemName: 'bend' };
  expectStatus(await owner.post(`${flex}/backup/restoreJobs`, toFlex), 200);
  const toServerless = into(project, 'cloud', String(await newest(serverless)));
  const job = { ...toServerless, deliveryType: 'automated' };
  expectStatus(await owner.post(`${serverless}/backup/restoreJobs`, job), 200);
}

/** Creates one resource of each other kind that a project can contain. */
async function others({ owner }: Setup, project: string): Promise<void> {
  const resources = [{ db: 'harbour', collection: 'ports' }];
  const role = { roleName: 'reading', actions: [{ action: 'FIND', resources }] };
  expectStatus(await owner.post(`${project}/customDBRoles/roles`, role), 200);
  const access = `${project}/cloudProviderAccess`;
  expectStatus(await owner.post(access, { providerName: 'AWS' }), 200);
  const { roleId } = expectStatus<{ roleId: string }>(await owner.post(access, { providerName: 'GCP' }), 200);
  const bucket = { bucketName: google.bucket, cloudProvider: 'GCP', roleId };
  expectStatus(await owner.post(`${project}/backup/exportBuckets`, bucket), 200);
  const providerSettings = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
  expectStatus(await owner.post(`${project}/flexClusters`, { name: 'bend', providerSettings }), 201);
  expectStatus(await owner.post(`${project}/serverless`, { name: 'cloud', providerSettings }), 201);
}

const ENDPOINT =
  '/groups/{groupId}/privateEndpoint/{cloudProvider}/endpointService/{endpointServiceId}/endpoint/{endpointId}';
const PEER = '/groups/{groupId}/peers/{peerId}';
const FEDERATION = '/federationSettings/{federationSettingsId}';
const IDENTITY_PROVIDER = `${FEDERATION}/identityProviders/{identityProviderId}`;
const ROLE_MAPPING = `${FEDERATION}/connectedOrgConfigs/{orgId}/roleMappings/{id}`;
const INVOICE = '/orgs/{orgId}/invoices/{invoiceId}';
const ARCHIVE = '/groups/{groupId}/clusters/{clusterName}/onlineArchives/{archiveId}';
const VERIFICATION = '/groups/{groupId}/userSecurity/ldap/verify/{requestId}';

/** Creates resources to which no links lead. Returns their paths. */
async function withoutLinks(setup: Setup, project: string): Promise<KnownPath[]> {
  return [
    ...(await networks(setup, project)),
    await archive(setup, project),
    await verification(setup, project),
    await invoice(setup),
    ...(await federation(setup)),
  ];
}

/** Creates an identity provider and a role mapping. */
async function federation({ owner, bootstrap: { orgId } }: Setup): Promise<KnownPath[]> {
  const settings = await federationOf({ key: owner, id: orgId });
  const { id: identityProviderId, oktaIdpId } = await settings.provider();
  await settings.configure({ identityProviderId: oktaIdpId });
  const { id } = await settings.map('pilots', [{ orgId, role: 'ORG_MEMBER' }]);
  const federationSettingsId = settings.id;
  return [
    { template: IDENTITY_PROVIDER, values: { federationSettingsId, identityProviderId } },
    { template: ROLE_MAPPING, values: { federationSettingsId, orgId, id } },
  ];
}

/** Finds the invoice of the present month. */
async function invoice({ owner, bootstrap: { orgId } }: Setup): Promise<KnownPath> {
  const { results } = expectStatus<ListDocument>(await owner.get(`/orgs/${orgId}/invoices`), 200);
  return { template: INVOICE, values: { orgId, invoiceId: String(results[0]?.id) } };
}

/** Creates an online archive that moves nothing. */
async function archive({ owner }: Setup, project: string): Promise<KnownPath> {
  const criteria = { type: 'DATE', dateField: 'at', expireAfterDays: 90 };
  const body = { dbName: 'harbour', collName: 'calls', criteria, paused: true };
  const path = `${project}/clusters/fleet/onlineArchives`;
  const { _id: archiveId } = expectStatus<{ _id: string }>(await owner.post(path, body), 200);
  return { template: ARCHIVE, values: { groupId: idIn(project), clusterName: 'fleet', archiveId } };
}

/** Verifies an LDAP server that does not exist. */
async function verification({ owner }: Setup, project: string): Promise<KnownPath> {
  const body = { hostname: '127.0.0.1', port: 1, bindUsername: 'cn=admin', bindPassword: 'a compass' };
  const reply = await owner.post(`${project}/userSecurity/ldap/verify`, body);
  const { requestId } = expectStatus<{ requestId: string }>(reply, 200);
  return { template: VERIFICATION, values: { groupId: idIn(project), requestId } };
}

/** Creates a peering connection and a private endpoint. */
async function networks({ owner }: Setup, project: string): Promise<KnownPath[]> {
  const groupId = idIn(project);
  const { results } = expectStatus<ListDocument>(await owner.get(`${project}/containers`), 200);
  const connection = {
    accepterRegionName: 'us-east-1',
    awsAccountId: '123456789012',
    containerId: results[0]?.id,
    routeTableCidrBlock: '172.31.0.0/16',
    vpcId: 'vpc-0a1b2c',
  };
  const peer = expectStatus<{ id: string }>(await owner.post(`${project}/peers`, connection), 201);
  const services = `${project}/privateEndpoint/endpointService`;
  const service = { providerName: 'AWS', region: 'eu-west-1' };
  const { id } = expectStatus<{ id: string }>(await owner.post(services, service), 201);
  const endpoint = { id: 'vpce-0a1b' };
  const endpoints = `${project}/privateEndpoint/AWS/endpointService/${id}/endpoint`;
  expectStatus(await owner.post(endpoints, endpoint), 201);
  return [
    { template: PEER, values: { groupId, peerId: peer.id } },
    {
      template: ENDPOINT,
      values: { groupId, cloudProvider: 'AWS', endpointServiceId: id, endpointId: endpoint.id },
    },
  ];
}

const SECRETS = '/groups/{groupId}/serviceAccounts/{clientId}/secrets/{secretId}';
/** No link leads to this path, since only the removal of a role has the provider in its path. */
const aRole: KnownPath = {
  template: '/groups/{groupId}/cloudProviderAccess/{cloudProvider}',
  values: { cloudProvider: 'AWS' },
};

/** Returns the path of an account's secrets, to which no links lead. */
async function secretsOf({ owner }: Setup, places: readonly KnownPath[]): Promise<KnownPath[]> {
  const known = places.find(({ values }) => values.groupId !== undefined && values.clientId !== undefined);
  const { groupId = '', clientId = '' } = known?.values ?? {};
  const { secrets } = expectStatus<{ secrets: { id: string }[] }>(
    await owner.get(`/groups/${groupId}/serviceAccounts/${clientId}`),
    200,
  );
  return secrets.map(({ id }) => ({ template: SECRETS, values: { groupId, clientId, secretId: id } }));
}

/** Creates a configuration that soon opens an alert. Returns a function that waits for the alert. */
async function anAlert({ owner }: Setup, project: string): Promise<() => Promise<unknown>> {
  const body = {
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: true,
    metricThreshold: { metricName: 'CONNECTIONS', operator: 'LESS_THAN', threshold: 1000 },
    notifications: [{ typeName: 'EMAIL', emailAddress: 'watch@example.org' }],
  };
  const { id } = expectStatus<{ id: string }>(await owner.post(`${project}/alertConfigs`, body), 201);
  const hook = { type: 'WEBHOOK', webhookUrl: 'https://watch.example.org/hook' };
  expectStatus(await owner.post(`${project}/integrations/WEBHOOK`, hook), 200);
  return () =>
    until(
      'an alert that was notified',
      async () =>
        expectStatus<ListDocument<{ lastNotified?: string }>>(
          await owner.get(`${project}/alertConfigs/${id}/alerts`),
          200,
        ).results,
      (alerts) => alerts.some(({ lastNotified }) => lastNotified !== undefined),
    );
}

own.onOneSetup(
  'PostgreSQL, two instances',
  'browsing',
  (setup) => {
    /** The first test sets this, and later tests use it. */
    let found: readonly KnownPath[] = [];
    /** The second test sets this, and later tests use it. */
    let other: Stranger | undefined;

    test('links lead from the root to every read operation, and none is broken', async () => {
      const project = await newProject(setup);
      await allowAccess(setup, project, await newCluster(setup, project, 'fleet', backedUp));
      expectStatus(await setup.owner.post(`${project}/sampleDatasetLoad/fleet`, undefined), 201);
      await others(setup, project);
      const open = await anAlert(setup, project);
      await backups(setup, project);
      const words = {
        database: 'harbour',
        collectionName: 'ports',
        name: 'words',
        definition: { mappings: { dynamic: true } },
      };
      const indexes = `${project}/clusters/fleet/search/indexes`;
      expectStatus(await setup.owner.post(indexes, words), 201);
      for (const name of ['fleet', 'wide']) {
        const outage = `${project}/clusters/${name}/outageSimulation`;
        const outageFilters = [{ cloudProvider: 'AWS', regionName: 'US_EAST_1' }];
        expectStatus(await setup.owner.post(outage, { outageFilters }), 200);
      }
      await people(setup, project);
      await programs(setup, project);
      await open();
      const get = (path: string) => setup.owner.get(path);
      const { reached, missed, broken, places } = await crawl({ get });
      found = [...places, ...(await withoutLinks(setup, project))];
      assert.deepEqual(broken, []);
      assert.deepEqual(missed, [
        ...[...ofCollections, ...toldOnce].map((id) => `v1.0 ${id}`),
        ...toldOnce.map((id) => `v2 ${id}`),
      ]);
      for (const [family, ids] of reached) {
        const served = servedReads(family);
        assert.ok(served.length > 15, `${served.length} operations are served`);
        const unreached = served.filter((id) => !ids.has(id));
        assert.deepEqual(unreached, toldOnce, family);
      }
    });

    test('another organization has resources of the same kinds, with the same names', async () => {
      const { id, key } = await newOrganization(setup, 'ORG_OWNER');
      const stranger = { ...setup, owner: key, bootstrap: { ...setup.bootstrap, orgId: id } };
      const project = await newProject(stranger);
      await newCluster(stranger, project, 'fleet', backedUp);
      await newCluster(stranger, project, 'wide', { ...backedUp, clusterType: 'SHARDED', numShards: 1 });
      const providerSettings = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
      expectStatus(await key.post(`${project}/flexClusters`, { name: 'bend', providerSettings }), 201);
      expectStatus(await key.post(`${project}/serverless`, { name: 'cloud', providerSettings }), 201);
      await people(stranger, project);
      await programs(stranger, project);
      const get = (path: string) => key.get(path);
      const { places } = await crawl({ get, perTemplate: 1 });
      const own = [...places, ...(await withoutLinks(stranger, project))];
      other = { client: key, own, theirs: [...found, ...(await secretsOf(setup, found)), aRole] };
    });

    for (const form of ['newest', 'legacy'] as const) {
      test(`every operation of the ${form} form rejects its owner, whichever id in the path belongs to the attacked organization`, async () => {
        assert.ok(other !== undefined);
        const { client } = other;
        const { [form]: document } = await loadDocuments((path) => client.get(path));
        const report = await testIsolation({
          ...other,
          document,
          dice: dice(1852),
          pools: new Pools(knownValues),
        });
        assert.deepEqual(report.findings, [], document.name);
        assert.deepEqual(report.undecided, [], document.name);
        assert.deepEqual(report.untried, [
          'getValidationStatus validationId',
          'cancelMigration liveMigrationId',
          'getPushMigration liveMigrationId',
          'cutoverMigration liveMigrationId',
          // API keys cannot read the ids of sessions of the console.
          'consoleEndSession sessionId',
        ]);
        assert.ok(report.sent > 300, `${report.sent} requests`);
      });
    }

    test('documents that describe the service need no credentials', async () => {
      const [connection] = setup.connections;
      assert.ok(connection);
      const get = (target: string) => connection.send({ method: 'GET', target });
      assert.deepEqual([(await get('/healthz')).status, (await get('/readyz')).status], [200, 200]);
      const metrics = await get('/metrics');
      assert.equal(metrics.status, 200);
      const page = await get('/api/service/docs');
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(page.text, /listClusters/);
      const document = expectStatus(await get('/api/service/openapi/v1.0.json'), 200);
      assert.match(String(document.openapi), /^3\.1\./);
    });

    test('requests are counted and timed by operation', async () => {
      for (let count = 0; count < 4; count++) await setup.owner.get('/eventTypes');
      const texts = await Promise.all(
        setup.connections.map((one) => one.send({ method: 'GET', target: '/metrics' })),
      );
      for (const { text } of texts) assert.match(text, /operation="listEventTypes"/);
    });
  },
  { environment: { STORAGE_EMULATOR_HOST: google.url } },
);
