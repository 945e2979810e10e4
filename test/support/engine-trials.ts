import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Document, MongoClient } from 'mongodb';
import { backupsOf, into } from './backups.ts';
import { expectStatus, until } from './expect.ts';
import { cutOver, digestsOf, migrate, migrationBody, projectOf, untilReady } from './migrations.ts';
import type { Setup } from './setups.ts';
import { idIn, idle, type ListDocument } from './stage.ts';

/** A cluster on which capabilities are tried. It has continuous backup. */
export interface Tried {
  readonly setup: Setup;
  /** The path of the cluster. */
  readonly cluster: string;
  /** A driver with all rights on data, and the right to read operation times. */
  readonly driver: MongoClient;
  /** Connects as a database user of the project. */
  login(username: string, password: string): Promise<MongoClient>;
  /** A source of live migrations: the id of its project, and its name. */
  readonly source: { readonly projectId: string; readonly name: string };
  readonly sourceDriver: MongoClient;
}

/** Uses a capability of a cluster, and checks the effect. */
export type Trial = (tried: Tried) => Promise<void>;

interface ProcessDocument {
  readonly id: string;
  readonly typeName: string;
}

/** The primary of a cluster that is the only one in its project with this name. */
async function primaryOf({ setup, cluster }: Tried): Promise<ProcessDocument> {
  const { connectionStrings } = await idle(setup.owner, cluster);
  const isOwn = ({ id }: ProcessDocument) => connectionStrings.standard?.includes(id);
  const found = await until(
    'a primary',
    async () => {
      const reply = await setup.owner.get(`${projectOf(cluster)}/processes?itemsPerPage=500`);
      const { results } = expectStatus<ListDocument<ProcessDocument>>(reply, 200);
      return results.find((one) => isOwn(one) && one.typeName === 'REPLICA_PRIMARY');
    },
    (one) => one !== undefined,
  );
  assert.ok(found);
  return found;
}

const nameOf = (cluster: string) => cluster.split('/').at(-1) ?? '';

/** Changes process arguments, and checks that the API returns them. */
export const setsArguments =
  (body: object): Trial =>
  async ({ setup: { owner }, cluster }) => {
    expectStatus(await owner.patch(`${cluster}/processArgs`, body), 200);
    await idle(owner, cluster);
    await until(
      'the arguments',
      async () => expectStatus<Document>(await owner.get(`${cluster}/processArgs`), 200),
      (shown) => Object.entries(body).every(([name, value]) => shown[name] === value),
    );
  };

const harbour = (driver: MongoClient) => driver.db('harbour').collection<{ _id: number }>('trials');

const pins: Trial = async ({ setup: { owner }, cluster }) => {
  for (const action of ['pin', 'unpin']) {
    expectStatus(await owner.post(`${cluster}:${action}FeatureCompatibilityVersion`, {}), 204);
    await idle(owner, cluster);
  }
};

const failsOver: Trial = async (tried) => {
  const first = await primaryOf(tried);
  expectStatus(await tried.setup.owner.post(`${tried.cluster}/restartPrimaries`, undefined), 200);
  await until(
    'another primary',
    () => primaryOf(tried),
    ({ id }) => id !== first.id,
  );
};

const letsUsersLogIn: Trial = async ({ setup: { owner }, cluster, driver, login }) => {
  await harbour(driver).insertOne({ _id: -1 });
  const [username, password] = ['trial', 'a rope and a knot'];
  const roles = [{ roleName: 'read', databaseName: 'harbour' }];
  const user = { username, password, databaseName: 'admin', roles };
  expectStatus(await owner.post(`${projectOf(cluster)}/databaseUsers`, user), 201);
  const own = await login(username, password);
  try {
    assert.equal(await harbour(own).countDocuments({ _id: -1 }), 1);
    await assert.rejects(harbour(own).insertOne({ _id: -2 }), { code: 13 });
  } finally {
    await own.close();
  }
};

const loadsSamples: Trial = async ({ setup: { owner }, cluster, driver }) => {
  const path = `${projectOf(cluster)}/sampleDatasetLoad`;
  const { _id } = expectStatus<Document>(await owner.post(`${path}/${nameOf(cluster)}`, {}), 201);
  await until(
    'the sample data',
    () => owner.get(`${path}/${_id}`),
    (reply) => reply.json().state === 'COMPLETED',
  );
  assert.ok((await driver.db('sample_films').listCollections().toArray()).length > 0);
};

const buildsIndexes: Trial = async ({ setup: { owner }, cluster, driver }) => {
  const index = { db: 'built', collection: 'ships', keys: [{ name: '1' }] };
  expectStatus(await owner.post(`${cluster}/index`, index), 202);
  const ships = driver.db('built').collection('ships');
  await until(
    'the index',
    () => ships.indexes().catch(() => []),
    (found) => found.some(({ name }) => name === 'name_1'),
  );
};

const searches: Trial = async ({ setup: { owner }, cluster, driver }) => {
  await driver.db('shop').collection('books').insertOne({ title: 'A harbour in the fog' });
  const path = `${cluster}/search/indexes`;
  const names = { collectionName: 'books', database: 'shop', name: 'words' };
  const definition = { mappings: { dynamic: true } };
  const { indexID } = expectStatus<Document>(await owner.post(path, { ...names, definition }), 201);
  await until(
    'the search index',
    () => owner.get(`${path}/${indexID}`),
    (reply) => reply.json().status === 'READY',
  );
  const query = { index: 'words', text: { query: 'fog', path: 'title' } };
  const found = driver
    .db('shop')
    .collection('books')
    .aggregate([{ $search: query }]);
  assert.equal((await found.toArray()).length, 1);
};

const restoresSnapshots: Trial = async ({ setup, cluster, driver }) => {
  const { taken, restored } = backupsOf(setup);
  await harbour(driver).insertOne({ _id: 1 });
  const { id } = await taken(cluster);
  await harbour(driver).drop();
  const { ended } = await restored(cluster, into(projectOf(cluster), nameOf(cluster), id));
  assert.equal(ended.failed, false, JSON.stringify(ended));
  await idle(setup.owner, cluster);
  assert.equal(await harbour(driver).countDocuments({ _id: 1 }), 1);
};

const takesSnapshots: Trial = async ({ setup, cluster }) => {
  const { taken } = backupsOf(setup);
  const snapshot = await taken(cluster);
  assert.ok(snapshot.storageSizeBytes > 0);
  const schedule = expectStatus<Document>(await setup.owner.get(`${cluster}/backup/schedule`), 200);
  assert.ok(schedule.policies[0].policyItems.length > 0);
};

const offersDownloads: Trial = async ({ setup, cluster }) => {
  const { id: snapshotId } = await backupsOf(setup).taken(cluster);
  const path = `${cluster}/backup/restoreJobs`;
  const wanted = { deliveryType: 'download', snapshotId };
  const { id } = expectStatus<{ id: string }>(await setup.owner.post(path, wanted), 200);
  await until(
    'a link',
    () => setup.owner.get(`${path}/${id}`),
    (reply) => reply.json<{ deliveryUrl: string[] }>().deliveryUrl.length === 1,
  );
};

const restoresMoments: Trial = async ({ setup, cluster, driver }) => {
  const { taken, restored } = backupsOf(setup);
  await taken(cluster);
  await harbour(driver).insertOne({ _id: 2 });
  const { operationTime } = await driver.db('harbour').command({ insert: 'trials', documents: [{ _id: 3 }] });
  await harbour(driver).drop();
  const { t: oplogTs, i: oplogInc } = operationTime;
  const target = { targetGroupId: idIn(projectOf(cluster)), targetClusterName: nameOf(cluster) };
  const wanted = { deliveryType: 'pointInTime', ...target, oplogTs, oplogInc };
  const { ended } = await restored(cluster, wanted);
  assert.equal(ended.failed, false, JSON.stringify(ended));
  await idle(setup.owner, cluster);
  assert.equal(await harbour(driver).countDocuments({ _id: { $in: [2, 3] } }), 2);
};

const receivesMigrations: Trial = async ({ setup, cluster, driver, source, sourceDriver }) => {
  const path = await migrate(setup, cluster, migrationBody(cluster, source));
  await untilReady(setup, path);
  await cutOver(setup, path);
  await idle(setup.owner, cluster);
  const digests = await digestsOf(driver);
  for (const [name, digest] of Object.entries(await digestsOf(sourceDriver)))
    assert.deepEqual(digests[name], digest, name);
};

const measures: Trial = async (tried) => {
  const { id } = await primaryOf(tried);
  const query = 'granularity=PT1M&period=PT1H&m=CONNECTIONS';
  const path = `${projectOf(tried.cluster)}/processes/${id}/measurements?${query}`;
  await until(
    'a measurement',
    async () => expectStatus<Document>(await tried.setup.owner.get(path), 200),
    ({ measurements: [one] }) => one?.dataPoints.some((point: Document) => point.value > 0) === true,
  );
};

const listsDatabases: Trial = async (tried) => {
  await harbour(tried.driver).insertOne({ _id: -3 });
  const { id } = await primaryOf(tried);
  const path = `${projectOf(tried.cluster)}/processes/${id}/databases`;
  await until(
    'the database',
    async () => expectStatus<ListDocument>(await tried.setup.owner.get(path), 200),
    ({ results }) => results.some(({ databaseName }) => databaseName === 'harbour'),
  );
};

const returnsLogs: Trial = async (tried) => {
  const [host] = (await primaryOf(tried)).id.split(':');
  const path = `${projectOf(tried.cluster)}/clusters/${host}/logs/mongodb.gz`;
  const reply = await tried.setup.owner.get(path);
  assert.equal(reply.status, 200);
  assert.match(gunzipSync(reply.bytes).toString(), /"msg"/);
};

const listsLogins: Trial = async ({ setup: { owner }, cluster }) => {
  const path = `${projectOf(cluster)}/dbAccessHistory/clusters/${nameOf(cluster)}`;
  await until(
    'a login',
    async () => expectStatus<{ accessLogs: readonly object[] }>(await owner.get(path), 200),
    ({ accessLogs }) => accessLogs.length > 0,
  );
};

/**
 * The trials of capabilities that several engines have, by the names in `docs/engines.md`. Those that need an
 * empty cluster come first.
 */
export const sharedTrials: Readonly<Record<string, Trial>> = {
  'Live migrations to the cluster': receivesMigrations,
  'Pinning and unpinning the feature compatibility version': pins,
  'Process arguments': setsArguments({ noTableScan: false, transactionLifetimeLimitSeconds: 61 }),
  'Process arguments that servers accept only in commands': setsArguments({ defaultWriteConcern: '1' }),
  'Test failovers': failsOver,
  'Database users and custom roles of the project': letsUsersLogIn,
  'Sample data': loadsSamples,
  'Rolling index builds': buildsIndexes,
  'Search indexes': searches,
  'Snapshots with their schedules': takesSnapshots,
  'Copies, exports and downloads of snapshots': offersDownloads,
  'Restores of snapshots to the cluster': restoresSnapshots,
  'Continuous backup': restoresMoments,
  Measurements: measures,
  'Lists of databases': listsDatabases,
  'Logs, slow operations and suggested indexes': returnsLogs,
  'The access history': listsLogins,
};
