import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const FREE = {
  providerSettings: {
    providerName: 'TENANT',
    backingProviderName: 'AWS',
    instanceSizeName: 'M0',
    regionName: 'US_EAST_1',
  },
};

timed.onOneSetup('PostgreSQL, two instances', 'idle clusters', (setup) => {
  test('a free cluster without connections pauses after thirty days', async (t) => {
    const [unused, used] = [await newProject(setup), await newProject(setup)];
    const idleOne = await newCluster(setup, unused, 'idle', FREE);
    const busyOne = await newCluster(setup, used, 'busy', FREE);
    await allowAccess(setup, used, busyOne);
    const driver = await driverFor(setup, busyOne);
    t.after(() => driver.close());
    const advance = { advanceSeconds: 30 * 24 * 3600 + 60 };
    expectStatus(await setup.operator.patch('/operator/v1/clock', advance), 200);
    const isPaused = async (path: string) => expectStatus(await setup.owner.get(path), 200).paused;
    // The service notices connections after two samples, which are ten seconds apart.
    await until(
      'the pause of a free cluster',
      () => isPaused(idleOne),
      (paused) => paused === true,
    );
    await idle(setup.owner, idleOne);
    const events = `${unused}/events?eventType=CLUSTER_AUTOMATICALLY_PAUSED`;
    assert.equal(expectStatus<ListDocument>(await setup.owner.get(events), 200).results.length, 1);
    expectStatus(await setup.owner.patch(idleOne, { paused: false }), 200);
    assert.equal((await idle(setup.owner, idleOne)).paused, false);
    assert.equal(await isPaused(busyOne), false);
    await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
  });
});
