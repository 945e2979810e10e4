import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { backedUp, backupsOf, type SnapshotDocument } from './support/backups.ts';
import { driverFor } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { idIn, idle, type ListDocument, newCluster } from './support/stage.ts';

const DAY_S = 86_400;

own.onOneSetup('SQLite, one instance', 'points in time under a changed clock', (setup) => {
  const { fleet, taken, restored } = backupsOf(setup);

  const change = async (body: object) => {
    const reply = await setup.operator.patch('/operator/v1/clock', body);
    const { now } = expectStatus<{ now: string }>(reply, 200);
    return Math.floor(Date.parse(now) / 1000);
  };

  /**
   * Creates a cluster whose oplog is archived. Also returns a function that restores the data of a given second to
   * another cluster.
   */
  async function open(t: TestContext) {
    const { project, cluster, ports } = await fleet(t, { ...backedUp, pitEnabled: true });
    await ports.insertOne({ _id: 1, name: 'Riga' });
    await taken(cluster);
    return { cluster, ports, ...(await openTarget(t, project, cluster)) };
  }

  async function openTarget(t: TestContext, project: string, cluster: string) {
    const other = await newCluster(setup, project, 'other', backedUp);
    const at = async (seconds: number) => {
      const target = { targetGroupId: idIn(project), targetClusterName: 'other' };
      const moment = { deliveryType: 'pointInTime', pointInTimeUTCSeconds: seconds };
      const { ended } = await restored(cluster, { ...moment, ...target });
      await idle(setup.owner, other);
      const driver = await driverFor(setup, other);
      t.after(() => driver.close());
      const names = await driver.db('harbour').collection('ports').find().sort({ _id: 1 }).toArray();
      return [ended.failed, ...names.map(({ name }) => name)];
    };
    return { at };
  }

  test('a time within a clock jump has the data from before the jump', async (t) => {
    const { cluster, ports, at } = await open(t);
    await ports.insertOne({ _id: 2, name: 'Visby' });
    const before = await change({});
    const after = await change({ advanceSeconds: DAY_S });
    await ports.insertOne({ _id: 3, name: 'Kiel' });
    await idle(setup.owner, cluster);
    assert.deepEqual(await at(before + DAY_S / 2), [false, 'Riga', 'Visby']);
    // The clock may not have reached the end of the requested second yet.
    await change({ advanceSeconds: 2 });
    assert.deepEqual(await at(after + 1), [false, 'Riga', 'Visby', 'Kiel']);
  });

  test('a time within a clock jump is restored from a snapshot that became due by the jump', async (t) => {
    const { project, cluster, ports } = await fleet(t, { ...backedUp, pitEnabled: true });
    await ports.insertOne({ _id: 1, name: 'Riga' });
    const before = await change({});
    await change({ advanceSeconds: DAY_S });
    const snapshots = await until(
      'the snapshots',
      async () =>
        expectStatus<ListDocument<SnapshotDocument>>(
          await setup.owner.get(`${cluster}/backup/snapshots`),
          200,
        ),
      ({ results }) => results.length > 0 && results.every(({ status }) => status === 'completed'),
    );
    assert.ok(snapshots.results.length > 0);
    const { at } = await openTarget(t, project, cluster);
    const found = await at(before + DAY_S / 2).catch((error: Error) => {
      // On a slow machine, the cluster writes its periodic no-op after the jump of the clock and before the snapshot.
      // The restore is then rejected.
      assert.match(error.message, /UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME/);
    });
    if (found !== undefined) assert.deepEqual(found, [false, 'Riga']);
  });

  test('the current second of a frozen clock has the data that was written before the request', async (t) => {
    const { ports, at } = await open(t);
    const frozen = await change({ frozen: true });
    t.after(() => change({ frozen: false }));
    await ports.insertOne({ _id: 2, name: 'Visby' });
    assert.deepEqual(await at(frozen), [false, 'Riga', 'Visby']);
    await ports.insertOne({ _id: 3, name: 'Kiel' });
    assert.deepEqual(await at(frozen), [false, 'Riga', 'Visby', 'Kiel']);
  });
});
