import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { type OtherServer, otherServer } from './support/adopted-engine.ts';
import { backedUp, backupsOf, into, type SnapshotDocument } from './support/backups.ts';
import { driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import { applied, idIn, idle, newCluster, newProject } from './support/stage.ts';

/** How many more transactions the writer commits while the snapshot is taken. */
const MORE = 20;

own.onOneSetup('SQLite, one instance', 'snapshots of adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  const { taken, restored } = backupsOf(setup);
  let server: OtherServer;
  let client: MongoClient;
  before(async () => {
    server = await otherServer(scope);
    client = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
    scope.after(() => client.close());
  });

  /** Adopts the server, with backups, and creates a cluster to which snapshots of the server can be restored. */
  async function adopted(t: TestContext) {
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name: 'ledger', connectionString: server.uri };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    const cluster = `${project}/clusters/ledger`;
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.patch(cluster, backedUp), 200);
    await idle(setup.owner, cluster);
    return { project, cluster };
  }

  /** Restores a snapshot to a new cluster. Returns a driver of that cluster. */
  async function restoredCopy(t: TestContext, project: string, cluster: string, snapshotId: string) {
    const target = await newCluster(setup, project, 'copy');
    const { ended } = await restored(cluster, into(project, 'copy', snapshotId));
    assert.equal(ended.failed, false, JSON.stringify(ended));
    // Restrict the user to the copy, since users on the adopted servers would outlive the test.
    await newUser(setup, project, SAILOR.username, { scopes: [{ name: 'copy', type: 'CLUSTER' }] });
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    await applied(setup.owner, target);
    const copy = await driverFor(setup, target);
    t.after(() => copy.close());
    return copy;
  }

  /** Returns the names in the folder of staging deployments. */
  const staged = () =>
    readdir(join(setup.instances[0]?.dataDirectory ?? '', 'staging')).catch(() => [] as string[]);

  test('a snapshot contains the data as of one operation, although the data changes meanwhile', async (t) => {
    const { project, cluster } = await adopted(t);
    const harbour = client.db('harbour');
    await harbour.createCollection('log', { capped: true, size: 100_000 });
    await harbour.collection('log').insertMany([{ line: 'b' }, { line: 'a' }]);
    await harbour.collection('ships').createIndex({ name: 1 }, { unique: true });
    await harbour.collection('ships').createIndex({ seen: 1 }, { expireAfterSeconds: 86_400 });
    await harbour.collection('ships').insertMany([
      { _id: 1 as never, name: 'Argo' },
      { _id: 2 as never, name: 'Fram' },
    ]);
    await harbour.createCollection('names', { viewOn: 'ships', pipeline: [{ $project: { name: 1 } }] });
    const writer = writing(client);
    t.after(() => writer.stop());
    await writer.reached(MORE);
    const snapshot = await taken(cluster);
    await writer.reached(writer.count() + MORE);
    await writer.stop();
    const { consistency, dbdVersion, replicaSetName } = snapshot;
    assert.deepEqual([consistency, dbdVersion, replicaSetName], ['OPERATION', '8.2.0', 'ledger']);
    await until('no staging deployment', staged, (names) => names.length === 0);

    const copy = await restoredCopy(t, project, cluster, snapshot.id);
    const names = await copy.db('admin').admin().listDatabases({ nameOnly: true });
    assert.ok(!names.databases.some(({ name }) => name.startsWith('portolan')), JSON.stringify(names));
    // Each transaction inserts a document into one collection, and increments a counter in the other.
    const inserted = await copy.db('ledger').collection('entries').countDocuments();
    const [counter] = await copy.db('ledger').collection('totals').find().toArray();
    assert.equal(counter?.entries, inserted);
    assert.ok(inserted >= MORE && inserted < writer.count(), `${inserted} of ${writer.count()}`);
    for (const name of ['ships', 'log', 'names'])
      assert.deepEqual(await contentsOf(copy, 'harbour', name), await contentsOf(client, 'harbour', name));
  });

  test('a restore replaces the databases of the snapshot, and nothing else', async (t) => {
    const { project, cluster } = await adopted(t);
    const [cranes, others] = ['cranes', 'others'].map((name) => client.db(name).collection('all'));
    await cranes?.insertMany([{ height: 30 }, { height: 45 }]);
    await cranes?.createIndex({ height: 1 }, { unique: true });
    const before = await contentsOf(client, 'cranes', 'all');
    const snapshot = await taken(cluster);
    await cranes?.updateMany({}, { $inc: { height: 1 } });
    await cranes?.dropIndex('height_1');
    await client.db('cranes').collection('later').insertOne({});
    await others?.insertOne({ kept: true });
    const user = { createUser: 'stevedore', pwd: 'ropes and hooks', roles: ['readAnyDatabase'] };
    await client.db('admin').command(user);
    const { ended } = await restored(cluster, into(project, 'ledger', snapshot.id));
    assert.equal(ended.failed, false, JSON.stringify(ended));
    assert.deepEqual(await contentsOf(client, 'cranes', 'all'), before);
    const names = await client.db('cranes').listCollections({}, { nameOnly: true }).toArray();
    assert.deepEqual(
      names.map(({ name }) => name),
      ['all'],
    );
    assert.equal(await others?.countDocuments(), 1);
    const { users } = await client.db('admin').command({ usersInfo: 'stevedore' });
    assert.equal(users.length, 1);
    await idle(setup.owner, cluster);
    await until('no staging deployment', staged, (names) => names.length === 0);
  });

  test('the data of servers without change streams is copied, and the snapshot says so', async (t) => {
    const { project, cluster } = await adopted(t);
    await client
      .db('still')
      .collection('stones')
      .insertMany([{ weight: 3 }, { weight: 5 }]);
    await client.db('still').collection('stones').createIndex({ weight: 1 }, { unique: true });
    const refuse = (mode: string) =>
      client.db('admin').command({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: ['aggregate'], errorCode: 40_573, appName: 'Portolan snapshots' },
      });
    await refuse('alwaysOn');
    t.after(() => refuse('off'));
    const snapshot = await taken(cluster);
    assert.equal(snapshot.consistency, 'NONE');
    const download = { deliveryType: 'download', snapshotId: snapshot.id };
    const job = expectStatus<{ id: string }>(
      await setup.owner.post(`${cluster}/backup/restoreJobs`, download),
      200,
    );
    await until(
      'a link',
      () => setup.owner.get(`${cluster}/backup/restoreJobs/${job.id}`),
      (reply) => reply.json<{ deliveryUrl: string[] }>().deliveryUrl.length === 1,
    );
    const copy = await restoredCopy(t, project, cluster, snapshot.id);
    assert.deepEqual(await contentsOf(copy, 'still', 'stones'), await contentsOf(client, 'still', 'stones'));
  });

  test('a snapshot that a kill interrupts is taken again, and leaves no files behind', async (t) => {
    const { cluster } = await adopted(t);
    const path = `${cluster}/backup/snapshots`;
    const { id } = expectStatus<SnapshotDocument>(await setup.owner.post(path, {}), 200);
    const state = async () => {
      const { status } = expectStatus<SnapshotDocument>(await setup.owner.get(`${path}/${id}`), 200);
      return { names: await staged(), status };
    };
    // On a slow machine, the snapshot may be complete before the test first reads it.
    const isBegun = ({ names, status }: Awaited<ReturnType<typeof state>>) =>
      names.length > 0 || status === 'completed';
    await until('a staging deployment', state, isBegun);
    await setup.instances[0]?.kill();
    await setup.start();
    await until(
      'the snapshot',
      () => setup.owner.get(`${path}/${id}`),
      (reply) => reply.json().status === 'completed',
    );
    await until('no staging deployment', staged, (names) => names.length === 0);
  });
});

/** Commits transactions one after another, until it is stopped. */
function writing(client: MongoClient) {
  const [entries, totals] = ['entries', 'totals'].map((name) => client.db('ledger').collection(name));
  let count = 0;
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await entries?.insertOne({ number: count }, { session });
          await totals?.updateOne({ _id: 1 as never }, { $inc: { entries: 1 } }, { session, upsert: true });
        }),
      );
      count++;
    }
  };
  const ended = loop();
  ended.catch(() => {});
  return {
    count: () => count,
    async reached(wanted: number) {
      const reached = until(
        `${wanted} transactions`,
        async () => count,
        (now) => isOver || now >= wanted,
      );
      // If a transaction fails, `ended` rejects, so that the test fails at once.
      await Promise.race([reached, ended]);
      await reached;
    },
    async stop() {
      isOver = true;
      await ended;
    },
  };
}

/** Returns the documents of a collection in their order, its options, and its indexes by name. */
async function contentsOf(client: MongoClient, database: string, name: string) {
  const db = client.db(database);
  const [info] = await db.listCollections({ name }).toArray();
  const { type, options } = info as Document;
  const indexes = type === 'view' ? [] : await db.collection(name).indexes();
  // Sort the indexes, since a restore creates unique indexes last.
  indexes.sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
  return { type, options, indexes, documents: await db.collection(name).find().toArray() };
}
