import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { system } from '../../../events/index.ts';
import { NotYet } from '../../../tasks/index.ts';
import { insertRestore } from '../model/restores/rows.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { requestSnapshot } from '../snapshots/changes.ts';
import { openBackups, restoreRow } from '../testing.ts';
import { beginArchive, requestArchive } from './changes.ts';
import { requireReachable } from './reach.ts';
import { awaitArchives } from './replayed.ts';

const HOUR_MS = 3_600_000;

/** A cluster with a snapshot and an archive, whose servers are an hour behind service time. */
async function opened(t: TestContext) {
  const backups = await openBackups(t);
  const { store, cluster, clock, engine, settled } = backups;
  await backups.idleCluster();
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  engine.time = clock.now().getTime() - HOUR_MS;
  // The test engine takes its snapshot at this position.
  engine.entries = [1];
  await store.write(async (tx) => {
    await beginArchive(tx, cluster);
    await requestArchive(tx, cluster.id);
  });
  await settled();
  const retention = { value: 3, unit: 'DAYS' } as const;
  await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await settled();
  const [snapshot] = await store.read((tx) => snapshotsOf(tx, cluster.id));
  assert.ok(snapshot);
  return {
    ...backups,
    seconds,
    async restoreTo(pointInTime: { readonly seconds: number } | undefined) {
      const job = await store.write(async (tx) => {
        const row = { ...restoreRow(tx, cluster, snapshot.id), pointInTime };
        await insertRestore(tx, row);
        return row;
      });
      const attempt = () => awaitArchives(store, clock, job);
      return { attempt, archived: settled };
    },
  };
}

test('a request for a time that the servers have not reached is rejected with the time of the servers', async (t) => {
  const { cluster, engine, seconds, store } = await opened(t);
  const now = seconds();
  const request = (at: number) => store.read((tx) => requireReachable(tx, cluster, { seconds: at }));
  await assert.rejects(request(now), { code: 'POINT_IN_TIME_NOT_REACHED_BY_SERVERS' });
  assert.ok(engine.time);
  const passed = Math.floor(engine.time / 1000) - 60;
  assert.equal((await request(passed)).status, 'completed');
});

test('a restore fails if the clocks of the servers turn out to be far behind', async (t) => {
  const { restoreTo, seconds } = await opened(t);
  const { attempt, archived } = await restoreTo({ seconds: seconds() });
  await assert.rejects(attempt(), NotYet);
  await archived();
  await assert.rejects(attempt(), {
    name: 'PermanentFailure',
    message: /have not reached this time: they show/,
  });
});

test('a restore waits for clocks that are a few seconds behind', async (t) => {
  const { clock, engine, restoreTo, seconds } = await opened(t);
  const at = seconds();
  const { attempt, archived } = await restoreTo({ seconds: at });
  engine.time = at * 1000 - 5_000;
  await assert.rejects(attempt(), NotYet);
  await archived();
  await assert.rejects(attempt(), NotYet);
  engine.time = at * 1000 + 1_000;
  await archived();
  await attempt();
  assert.ok(clock.now().getTime() > engine.time);
});

test('a restore waits for an archive run, but not until the servers reach the time of the request', async (t) => {
  const { restoreTo } = await opened(t);
  const { attempt, archived } = await restoreTo(undefined);
  await assert.rejects(attempt(), NotYet);
  await archived();
  await attempt();
});
