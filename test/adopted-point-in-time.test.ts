import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { type OtherServer, otherServer } from './support/adopted-engine.ts';
import { backedUp, backupsOf } from './support/backups.ts';
import { driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import { applied, idIn, idle, newCluster, newProject } from './support/stage.ts';

interface Port {
  readonly _id: number | string;
  readonly [field: string]: unknown;
}

const continuous = { ...backedUp, pitEnabled: true };

own.onOneSetup(
  'PostgreSQL, two instances',
  'continuous backup of adopted deployments',
  (setup) => {
    const scope = scopeOf({ after });
    const { taken, restored } = backupsOf(setup);
    let server: OtherServer;
    let client: MongoClient;
    before(async () => {
      server = await otherServer(scope);
      client = new MongoClient(server.uri, LONG_TIMEOUTS);
      scope.after(() => client.close());
    });

    /** Adopts the server with continuous backup. Returns its cluster with a first snapshot. */
    async function adopted(t: TestContext) {
      const project = await newProject(setup);
      const body = { groupId: idIn(project), name: 'ledger', connectionString: server.uri };
      const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
      t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
      const cluster = `${project}/clusters/ledger`;
      await idle(setup.owner, cluster);
      expectStatus(await setup.owner.patch(cluster, continuous), 200);
      await idle(setup.owner, cluster);
      return { project, cluster };
    }

    /** Returns the point in time of the newest operation of the servers. */
    async function moment() {
      const { operationTime } = await client.db('admin').command({ ping: 1 });
      const { t, i } = operationTime as Timestamp;
      return { oplogTs: t, oplogInc: i };
    }

    const to = (project: string, targetClusterName: string, at: object) => ({
      ...{ deliveryType: 'pointInTime', targetGroupId: idIn(project), targetClusterName },
      ...at,
    });

    async function contents(from: MongoClient) {
      const ports = from.db('harbour').collection('ports');
      const [info] = await from.db('harbour').listCollections({ name: 'ports' }).toArray();
      const { options } = info as Document;
      return {
        options,
        indexes: await ports.indexes(),
        ports: await ports.find().sort({ _id: 1 }).toArray(),
      };
    }

    test('the deployment and another cluster are restored to a moment', async (t) => {
      const { project, cluster } = await adopted(t);
      const ports = client.db('harbour').collection<Port>('ports');
      await ports.insertMany([{ _id: 1, name: 'Riga' }]);
      await taken(cluster);
      await ports.insertMany([{ _id: 2, name: 'Visby' }]);
      await ports.createIndex({ name: 1 }, { unique: true });
      await ports.updateOne({ _id: 1 }, [{ $set: { zone: 'B', area: 'A' } }]);
      const before = await contents(client);
      const at = await moment();
      await ports.updateMany({}, { $set: { lost: true } });
      await ports.drop();

      const first = await restored(cluster, to(project, 'ledger', at));
      assert.equal(first.ended.failed, false, JSON.stringify(first.ended));
      assert.deepEqual(await contents(client), before);
      await idle(setup.owner, cluster);

      // The restore itself is part of the history, so a moment before it can be restored again.
      await ports.insertOne({ _id: 3, name: 'Kiel' });
      const target = await newCluster(setup, project, 'copy');
      const second = await restored(cluster, to(project, 'copy', at));
      assert.equal(second.ended.failed, false, JSON.stringify(second.ended));
      await newUser(setup, project, SAILOR.username, { scopes: [{ name: 'copy', type: 'CLUSTER' }] });
      expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
      await applied(setup.owner, target);
      const copy = await driverFor(setup, target);
      t.after(() => copy.close());
      assert.deepEqual(await contents(copy), before);
    });

    test('changes that follow an outage of the servers and of the service are archived', async (t) => {
      const { project, cluster } = await adopted(t);
      const ports = client.db('harbour').collection<Port>('ports');
      await taken(cluster);
      await server.kill();
      await until(
        'REPAIRING',
        () => setup.owner.get(cluster),
        (reply) => reply.json().stateName === 'REPAIRING',
      );
      await Promise.all(setup.instances.map((instance) => instance.kill()));
      await server.start();
      await ports.insertOne({ _id: 'after the outage' });
      await setup.start();
      await idle(setup.owner, cluster);
      const before = await contents(client);
      const at = await moment();
      await ports.drop();
      const { ended } = await restored(cluster, to(project, 'ledger', at));
      assert.equal(ended.failed, false, JSON.stringify(ended));
      assert.deepEqual(await contents(client), before);
    });

    test('after a gap, moments since the next snapshot can be restored', async (t) => {
      const { project, cluster } = await adopted(t);
      const all = client.db('gaps').collection('all');
      const numbers = async () =>
        (await all.find().sort({ number: 1 }).toArray()).map(({ number }) => number);
      await all.insertOne({ number: 1 });
      await taken(cluster);
      // The first restore makes the service archive everything up to now.
      const { ended } = await restored(cluster, to(project, 'ledger', await moment()));
      assert.equal(ended.failed, false, JSON.stringify(ended));
      await idle(setup.owner, cluster);

      const lose = (mode: string) =>
        client.db('admin').command({
          configureFailPoint: 'failCommand',
          mode,
          data: { failCommands: ['aggregate'], errorCode: 286, appName: 'Portolan archives' },
        });
      await lose('alwaysOn');
      t.after(() => lose('off'));
      await all.insertOne({ number: 2 });
      const lost = await moment();
      await all.insertOne({ number: 3 });
      await taken(cluster);
      const gap = await until(
        'the event of the gap',
        () => setup.owner.get(`${project}/events?eventType=CPS_OPLOG_GAP`),
        (reply) => reply.json<{ totalCount: number }>().totalCount > 0,
      );
      const [event] = gap.json<{ results: Document[] }>().results;
      assert.match(String(event?.reason), /do not return all operations since/);
      // While an archive run is pending, the request is accepted, and the job fails.
      const jobs = `${cluster}/backup/restoreJobs`;
      const reply = await setup.owner.post(jobs, to(project, 'ledger', lost));
      if (reply.status === 200) {
        const ended = await until(
          'the end of the restore',
          () => setup.owner.get(`${jobs}/${reply.json<{ id: string }>().id}`),
          (answer) => answer.json().finishedAt !== undefined,
        );
        assert.equal(ended.json<{ failed: boolean }>().failed, true);
      } else assert.deepEqual([reply.status, reply.json().errorCode], [409, 'NO_CHECKPOINT_FOR_PIT_RESTORE']);

      await lose('off');
      await taken(cluster);
      await all.insertOne({ number: 4 });
      const kept = await moment();
      await all.deleteMany({});
      const again = await restored(cluster, to(project, 'ledger', kept));
      assert.equal(again.ended.failed, false, JSON.stringify(again.ended));
      assert.deepEqual(await numbers(), [1, 2, 3, 4]);
    });

    test('if service time is ahead of the servers, only times that the servers have reached are restored', async (t) => {
      const { project, cluster } = await adopted(t);
      const tides = client.db('tides').collection('all');
      await tides.insertOne({ height: 1 });
      await taken(cluster);
      await tides.insertOne({ height: 2 });
      const at = await moment();
      await tides.drop();
      const jobs = `${cluster}/backup/restoreJobs`;
      const clock = '/operator/v1/clock';
      const { now } = expectStatus<{ now: string }>(
        await setup.operator.patch(clock, { advanceSeconds: 7_200 }),
        200,
      );
      const present = { pointInTimeUTCSeconds: Math.floor(Date.parse(now) / 1000) };
      // Until an archive run shows the time of the servers, requests are accepted, and their jobs fail. Until the other
      // instance has read the new service time, it rejects requests with another code.
      await until(
        'the rejection with the time of the servers',
        async () => {
          const reply = await setup.owner.post(jobs, to(project, 'ledger', present));
          if (reply.status === 200) await idle(setup.owner, cluster);
          return reply;
        },
        (reply) => reply.json().errorCode === 'POINT_IN_TIME_NOT_REACHED_BY_SERVERS',
      );
      const { ended } = await restored(cluster, to(project, 'ledger', at));
      assert.equal(ended.failed, false, JSON.stringify(ended));
      assert.deepEqual(
        (await tides.find().sort({ height: 1 }).toArray()).map(({ height }) => height),
        [1, 2],
      );
    });
  },
  { expectedErrors: /archived oplog has a gap|have not reached this time/ },
);
