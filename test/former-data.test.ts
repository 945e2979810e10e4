import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createZstdDecompress } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import type { MongoClient } from 'mongodb';
import { bearer, type Client, type Credentials, clientOf, digest } from './support/client.ts';
import { connectDriver, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { connectionTo } from './support/http.ts';
import { commonSettings, scopeOf, startService, temporaryFolder } from './support/service.ts';
import type { ClusterDocument, ListDocument } from './support/stage.ts';

type Document = Readonly<Record<string, unknown>>;

interface SearchIndex {
  readonly name: string;
  readonly status: string;
}

/**
 * Data directories of earlier versions. Each archive in `formats` comes from a stopped service of that version. Its
 * first project has a cluster `kept` with three documents, a unique index and a snapshot, and its first key is the one
 * below. The archive of 22 November has no saved first state. Later archives have one. They also have a search index,
 * but omit its file. The archives since 26 November also contain everything that `expectStoredFacts` reads, the archive
 * of 28 November what `expectNoNewWarnings` reads, and the archive of 30 November what `expectWildcards` reads. The last
 * archive was made from the one before, by the last version that wrote engine files of format 12.
 */
const formats = join(import.meta.dirname, 'formats');
const OLDEST = '2026-11-22.tar.zst';
const WITH_FACTS = '2026-11-26.tar.zst';
const WITHOUT_WARNINGS = '2026-11-28.tar.zst';
const WITH_WILDCARDS = '2026-11-30.tar.zst';
/** The first ports of the cluster in the archives. */
const FORMER_PORTS = /:(24200|24105)\b/;
const owner = digest({ publicKey: 'abcdefgh', privateKey: '00000000-0000-4000-8000-000000000000' });

for (const archive of await readdir(formats)) {
  test(`the data of ${archive} are migrated completely`, async (t) => {
    const scope = scopeOf(t);
    const folder = join(await temporaryFolder(scope), 'data');
    const packed = createReadStream(join(formats, archive));
    await pipeline(packed, createZstdDecompress(), unpackTar(folder, { fmode: 0o600, dmode: 0o700 }));
    const { bootstrap, authority } = await startService(scope, folder, await commonSettings(scope));
    const connection = connectionTo(bootstrap.url, authority);
    scope.after(() => connection.close());
    const calledBy = (by: Credentials) => clientOf(() => [connection], by, { check: () => {} });
    const client = calledBy(owner);
    const cluster = `/groups/${bootstrap.groupId}/clusters/kept`;
    const reply = await until(
      'the cluster, at ports that are free here',
      () => client.get(cluster),
      (one) => {
        const { stateName, connectionStrings } = one.json() as unknown as ClusterDocument;
        return (
          stateName === 'IDLE' &&
          connectionStrings.standard !== undefined &&
          !FORMER_PORTS.test(connectionStrings.standard)
        );
      },
    );
    const { connectionStrings } = expectStatus<ClusterDocument>(reply, 200);
    const driver = await connectDriver(connectionStrings.standard ?? '', LONG_TIMEOUTS);
    scope.after(() => driver.close());
    const ports = driver.db('sea').collection<{ _id: number; name: string }>('ports');
    const names = ['Riga', 'Visby', 'Turku'];
    const held = names.map((name, _id) => ({ _id, name }));
    assert.deepEqual(await ports.find().sort({ _id: 1 }).toArray(), held);
    await assert.rejects(ports.insertOne({ _id: 9, name: 'Riga' }), { code: 11_000 });
    await ports.insertOne({ _id: 9, name: 'Tallinn' });
    if (archive === WITH_WILDCARDS) await expectWildcards(driver);
    const { results } = expectStatus<ListDocument>(await client.get(`${cluster}/backup/snapshots`), 200);
    // The schedule takes further snapshots at once, since the last one is weeks old.
    assert.deepEqual(
      results
        .filter(({ snapshotType }) => snapshotType === 'onDemand')
        .map(({ description, status }) => [description, status]),
      [['kept', 'completed']],
    );

    const found = await until(
      'the search indexes',
      async () => (await client.get(`${cluster}/search/indexes`)).json() as unknown as SearchIndex[],
      (indexes) => indexes.every(({ status }) => status === 'READY'),
    );
    assert.deepEqual(
      found.map(({ name }) => name),
      archive === OLDEST ? [] : ['words'],
    );

    const operator = calledBy(bearer(bootstrap.operatorToken));
    if (archive >= WITH_FACTS) {
      // If the archive was made today, its download has not expired yet. Advance the clock past the hour for which it
      // is valid.
      expectStatus(await operator.patch('/operator/v1/clock', { advanceSeconds: 7200 }), 200);
      await expectStoredFacts(client, `/groups/${bootstrap.groupId}`);
    }
    if (archive === WITHOUT_WARNINGS) await expectNoNewWarnings(client, operator, `/orgs/${bootstrap.orgId}`);
    if (archive === OLDEST)
      expectFault(await operator.post('/operator/v1/reset', undefined), 409, 'NO_FIRST_STATE');
    expectStatus(await operator.post('/operator/v1/states', { name: 'old' }), 201);
    await ports.deleteMany({});
    expectStatus(await operator.post('/operator/v1/states/old/restore', undefined), 204);
    assert.equal(await ports.countDocuments(), 4);
    if (archive === OLDEST) return;
    // Close the driver before the reset removes the cluster, since a driver searches for a server when it closes.
    await driver.close();
    expectStatus(await operator.post('/operator/v1/reset', undefined), 204);
    expectFault(await client.get(cluster), 404, 'CLUSTER_NOT_FOUND', ['kept', bootstrap.groupId]);
  });
}

/**
 * In this archive, the index `at` has keys of arrays whose paths are unknown, and the compound index `port` lacks keys of
 * documents without a field that its wildcard covers.
 */
async function expectWildcards(driver: MongoClient): Promise<void> {
  const winds = driver.db('sea').collection('winds');
  const found = async (filter: Document, hint: string) =>
    (await winds.find(filter).hint(hint).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  assert.deepEqual(await found({ port: 'Riga' }, 'port'), [0, 1, 2]);
  assert.deepEqual(await found({ 'at.noon': 5 }, 'at'), [2]);
  assert.deepEqual(await found({ 'at.night.gust': 7 }, 'at'), [2]);
}

/**
 * In this archive, a snapshot of the cluster `kept` was restored, exported and downloaded. The same was done with a
 * snapshot of the sharded cluster `wide`, which was then removed while its backups were retained. A disabled alert
 * configuration uses one of two integrations.
 */
async function expectStoredFacts(client: Client, project: string): Promise<void> {
  const reading = readingFrom(client, project);
  await expectSnapshots(reading);
  await expectJobs(reading);
  await expectExports(reading);
  await expectIntegrations(reading);
}

/**
 * In this archive, a person was invited by mail, and the only secret of a service account has expired. The version that
 * made the archive did not warn about secrets. Migrated data count as if it had warned, so no warning follows.
 */
async function expectNoNewWarnings(client: Client, operator: Client, org: string): Promise<void> {
  const { results } = expectStatus<ListDocument>(await operator.get('/operator/v1/mails'), 200);
  // The text of an invitation is absent after its expiry.
  assert.deepEqual(
    results.map(({ body: _, ...mail }) => mail),
    [
      {
        created: '2026-11-29T05:56:23Z',
        id: '6b0bbe87634b1b722c8ab07e',
        outcome: 'KEPT',
        subject: 'Invitation to First organization',
        to: 'invited@example.org',
      },
    ],
  );
  const account = 'db_sa_id_6b0bbe86634b1b722c8ab076';
  expectStatus(await client.delete(`${org}/serviceAccounts/${account}`), 204);
  const events = expectStatus<ListDocument>(await client.get(`${org}/events?itemsPerPage=500`), 200).results;
  assert.deepEqual(
    events
      .filter(({ targetUsername }) => targetUsername === account)
      .map(({ eventTypeName }) => String(eventTypeName))
      .filter((type) => type.includes('SECRETS_')),
    ['ORG_SERVICE_ACCOUNT_SECRETS_NO_LONGER_EXPIRED'],
  );
}

/** The ids of the two snapshots. */
const [kept, wide] = ['6b085822632bba535ef9bdc9', '6b085823632bba535ef9bdff'];
const replicaSetName = 'platform-0w2511-shard-0';

function readingFrom(client: Client, project: string) {
  const read = async <T = Document>(path: string) => expectStatus<T>(await client.get(project + path), 200);
  const one = async (path: string) => without(await read(path));
  const listed = async (path: string) => (await read<ListDocument>(path)).results.map(without);
  const without = ({ links: _, ...rest }: Document) => rest;
  return { client, project, one, listed };
}

type Reading = ReturnType<typeof readingFrom>;

async function expectSnapshots({ one, listed }: Reading): Promise<void> {
  const snapshot = {
    dbdVersion: '8.0.29',
    description: 'kept',
    frequencyType: 'ondemand',
    policyItems: [],
    snapshotType: 'onDemand',
    status: 'completed',
  };
  assert.deepEqual(await one(`/clusters/kept/backup/snapshots/${kept}`), {
    ...snapshot,
    cloudProvider: 'AWS',
    copyRegions: [],
    createdAt: '2026-11-26T16:02:42Z',
    expiresAt: '2035-02-12T16:02:42Z',
    id: kept,
    replicaSetName: 'kept',
    storageSizeBytes: 2551,
    type: 'replicaSet',
  });
  const shard = '6b085823632bba535ef9bdfe';
  assert.deepEqual(await listed('/clusters/wide/backup/snapshots/shardedClusters'), [
    {
      ...snapshot,
      configServerType: 'EMBEDDED',
      createdAt: '2026-11-26T16:02:43Z',
      expiresAt: '2035-02-12T16:02:43Z',
      id: wide,
      members: [{ cloudProvider: 'AWS', id: shard, replicaSetName }],
      snapshotIds: [shard],
      storageSizeBytes: 2206,
      type: 'shardedCluster',
    },
  ]);
}

async function expectJobs({ client, project, listed }: Reading): Promise<void> {
  const job = {
    cancelled: false,
    deliveryUrl: [],
    desiredTimestamp: { date: null, increment: null, time: null },
    expired: false,
    failed: false,
  };
  const download = { ...job, deliveryType: 'download', privateDownloadDeliveryUrls: [] };
  const jobs = '/clusters/kept/backup/restoreJobs';
  await until(
    'the end of the download, whose hour is over',
    () => client.get(project + jobs),
    (reply) => reply.json<ListDocument>().results.some(({ expired }) => expired === true),
  );
  assert.deepEqual(await listed(jobs), [
    {
      ...job,
      deliveryType: 'automated',
      finishedAt: '2026-11-26T16:02:42Z',
      id: '6b085822632bba535ef9bdd4',
      result: { collections: 1, documents: 3, identical: true },
      snapshotId: kept,
      targetClusterName: 'kept',
      targetGroupId: project.slice('/groups/'.length),
      timestamp: '2026-11-26T16:02:42Z',
    },
    {
      ...download,
      expired: true,
      expiresAt: '2026-11-26T17:02:43Z',
      id: '6b085823632bba535ef9bdeb',
      result: { collections: 1, documents: 3, identical: true },
      snapshotId: kept,
      timestamp: '2026-11-26T16:02:42Z',
    },
  ]);
  assert.deepEqual(await listed('/clusters/wide/backup/restoreJobs'), [
    {
      ...download,
      cancelled: true,
      components: [{ privateDownloadDeliveryUrls: [], replicaSetName }],
      expiresAt: '2026-11-26T17:02:44Z',
      id: '6b085824632bba535ef9be0d',
      result: { collections: 2, documents: 2, identical: true },
      snapshotId: wide,
      timestamp: '2026-11-26T16:02:43Z',
    },
  ]);
}

async function expectExports({ one, listed }: Reading): Promise<void> {
  const [bucket] = await listed('/backup/exportBuckets');
  assert.deepEqual(bucket, {
    _id: '6b085822632bba535ef9bde4',
    bucketName: 'exports-here',
    cloudProvider: 'GCP',
    requirePrivateNetworking: false,
    roleId: '6b085822632bba535ef9bdde',
  });
  const exported = {
    customData: [{ key: 'who', value: 'asks' }],
    exportBucketId: bucket._id,
    state: 'Successful',
  };
  const place = 'exported_snapshots/6b085820632bba535ef9bd90/6b085820632bba535ef9bd92';
  assert.deepEqual(await listed('/clusters/kept/backup/exports'), [
    {
      ...exported,
      createdAt: '2026-11-26T16:02:42Z',
      exportStatus: { exportedCollections: 1, totalCollections: 1 },
      finishedAt: '2026-11-26T16:02:43Z',
      id: '6b085822632bba535ef9bde7',
      prefix: `${place}/kept/2026-11-26T1602/1795708962`,
      snapshotId: kept,
    },
  ]);
  const component = '6b085823632bba535ef9be08';
  const [whole, ...others] = await listed('/clusters/wide/backup/exports');
  assert.deepEqual(others, []);
  assert.deepEqual(whole, {
    ...exported,
    components: [{ exportId: component, replicaSetName }],
    createdAt: '2026-11-26T16:02:43Z',
    finishedAt: '2026-11-26T16:02:44Z',
    id: '6b085823632bba535ef9be09',
    prefix: `${place}/wide/2026-11-26T1602/1795708963`,
    snapshotId: wide,
  });
  const part = await one(`/clusters/wide/backup/exports/${component}`);
  assert.deepEqual([part.id, part.prefix], [component, whole?.prefix]);
}

async function expectIntegrations({ client, project, one, listed }: Reading): Promise<void> {
  assert.deepEqual(await listed('/integrations'), [
    { apiToken: '********oken', channelName: 'bridge', id: '6b085824632bba535ef9be19', type: 'SLACK' },
    { id: '6b085824632bba535ef9be1b', type: 'WEBHOOK', webhookUrl: 'https://watch.example.org/****hook' },
  ]);
  const { notifications } = await one('/alertConfigs/6b085824632bba535ef9be1d');
  const [{ integrationId } = {}] = notifications as Document[];
  assert.equal(integrationId, '6b085824632bba535ef9be19');
  const inUse = ['SLACK', 'is used by alert configurations'];
  const slack = `${project}/integrations/SLACK`;
  expectFault(await client.delete(slack), 400, 'INVALID_INTEGRATION_SETTINGS', inUse);
  expectStatus(await client.delete(`${project}/integrations/WEBHOOK`), 204);
  expectStatus(await client.delete(`${project}/alertConfigs/6b085824632bba535ef9be1d`), 204);
  expectStatus(await client.delete(slack), 204);
}
