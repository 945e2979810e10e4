import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MongoClient, type Timestamp } from 'mongodb';
import { adopt, newOrigin } from './support/adopted-cluster.ts';
import { backedUp, backupsOf } from './support/backups.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, own } from './support/setups.ts';
import { idIn, idle, newProject } from './support/stage.ts';

/** The roles of a user whose deployment can be restored. */
const ROLES = ['clusterMonitor', 'readWriteAnyDatabase', 'dbAdminAnyDatabase', 'enableSharding'];

interface Numbered {
  readonly _id: number;
  readonly [field: string]: unknown;
}

own.onOneSetup('SQLite, one instance', 'continuous backup of an adopted sharded cluster', (setup) => {
  const scope = scopeOf({ after });
  const { taken, restored } = backupsOf(setup);
  let client: MongoClient;
  let cluster: string;

  before(async () => {
    const other = await openSetup(scope, 'SQLite, one instance');
    const { uri } = await newOrigin(other, {
      change: { clusterType: 'SHARDED', numShards: 2 },
      roles: ROLES,
    });
    client = new MongoClient(uri, LONG_TIMEOUTS);
    scope.after(() => client.close());
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name: 'fleet', connectionString: uri };
    expectStatus(await adopt(setup, body), 201);
    cluster = `${project}/clusters/fleet`;
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.patch(cluster, { ...backedUp, pitEnabled: true }), 200);
    await idle(setup.owner, cluster);
  });

  const ships = () => client.db('harbour').collection<Numbered>('ships');
  const numbers = async () => (await ships().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

  /** Inserts documents, which the router distributes over the shards. Returns the time of the operation. */
  async function insert(from: number, count: number): Promise<Timestamp> {
    const documents = Array.from({ length: count }, (_, index) => ({ _id: from + index }));
    const { operationTime } = await client.db('harbour').command({ insert: 'ships', documents });
    return operationTime as Timestamp;
  }

  /** The shard keys of the collections in the database. */
  async function keys() {
    const found = await client
      .db('config')
      .collection('collections')
      .find({ _id: /^harbour/ as never })
      .toArray();
    return Object.fromEntries(found.map(({ _id, key }) => [String(_id), key]));
  }

  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test('changes on all shards are restored up to a moment', async () => {
    await client.db('admin').command({ shardCollection: 'harbour.ships', key: { _id: 'hashed' } });
    assert.deepEqual(await keys(), { 'harbour.ships': { _id: 'hashed' } });
    await insert(0, 100);
    const { type, ...snapshot } = await taken(cluster, '/shardedCluster');
    assert.deepEqual([type, snapshot.consistency], ['shardedCluster', 'OPERATION']);
    await client.withSession((session) =>
      session.withTransaction(() => ships().deleteMany({ _id: { $lt: 50 } }, { session })),
    );
    await client.db('admin').command({ shardCollection: 'harbour.docks', key: { berth: 1 } });
    await client
      .db('harbour')
      .collection('docks')
      .insertMany([{ berth: 1 }, { berth: 2 }]);
    const { t, i } = await insert(100, 100);
    await insert(200, 100);
    await client.db('harbour').dropDatabase();

    const [targetGroupId, targetClusterName] = [idIn(cluster.replace(/\/clusters.*/, '')), 'fleet'];
    const target = { deliveryType: 'pointInTime', targetGroupId, targetClusterName };
    const { ended } = await restored(cluster, { ...target, oplogTs: t, oplogInc: i });
    assert.equal(ended.failed, false, JSON.stringify(ended));
    assert.deepEqual(await numbers(), range(50, 150));
    assert.equal(await client.db('harbour').collection('docks').countDocuments(), 2);
    assert.deepEqual(await keys(), {
      'harbour.docks': { berth: 1 },
      'harbour.ships': { _id: 'hashed' },
    });
  });
});
