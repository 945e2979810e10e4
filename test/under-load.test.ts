import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { keepLogbook, withoutPool } from './support/logbook.ts';
import type { Scope } from './support/service.ts';
import { onOneSetup } from './support/setups.ts';
import { idle, newCluster, newProject, nodes } from './support/stage.ts';

const shape = (clusterType: string, numShards: number, regionsConfig: object) => ({
  clusterType,
  diskSizeGB: 40,
  replicationSpecs: [{ numShards, zoneName: 'Zone 1', regionsConfig }],
});
const replicaSet = (regionsConfig: object) => shape('REPLICASET', 1, regionsConfig);
const size = (instanceSizeName: string) => ({ providerSettings: { providerName: 'AWS', instanceSizeName } });

/** The pause of a reader between two reads. */
const PAUSE_MS = 2;

const READERS = ['primary', 'secondaryPreferred', 'nearest'] as const;

/**
 * Reads continuously from the primary and from secondaries. `close` returns the number of reads, or fails with the
 * first error.
 */
function keepReading(scope: Scope, driver: MongoClient): { close(): Promise<number> } {
  let reading = true;
  async function read(readPreference: (typeof READERS)[number]): Promise<number> {
    const pages = driver.db('ship').collection('pages', { readPreference });
    let times = 0;
    for (; reading; times++) {
      await withoutPool(() => pages.find({}).sort({ _id: -1 }).limit(5).toArray());
      await withoutPool(() => pages.countDocuments({}));
      await setTimeout(PAUSE_MS);
    }
    return times;
  }
  const readers = Promise.all(READERS.map(read));
  // Avoid an unhandled rejection, since only `close` awaits the promise.
  readers.catch(() => {});
  scope.after(() => {
    reading = false;
  });
  return {
    async close() {
      reading = false;
      return Math.min(...(await readers));
    },
  };
}

onOneSetup('PostgreSQL, two instances', 'changes under load', (setup) => {
  /** Makes changes one after another while a driver writes and reads. No operation of the driver may fail. */
  async function changeUnderLoad(
    t: TestContext,
    { first, changes }: { first: object; changes: Readonly<Record<string, object>> },
  ): Promise<void> {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'busy', first);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const logbook = keepLogbook(t, driver);
    const readers = keepReading(t, driver);
    for (const [title, change] of Object.entries(changes)) {
      expectStatus(await setup.owner.patch(cluster, change), 200);
      await idle(setup.owner, cluster);
      // Check here, since the next change follows at once, before the driver has noticed this one.
      assert.deepEqual(logbook.errors, [], title);
    }
    const written = await logbook.close();
    assert.deepEqual(logbook.errors, []);
    assert.ok((await readers.close()) > 0, 'every reader has read');
    assert.ok(written > 0, 'something was written');
  }

  test('size, disk, nodes, regions and version of a replica set', (t) =>
    changeUnderLoad(t, {
      first: { dbMajorVersion: '7.0' },
      changes: {
        'a larger size': size('M30'),
        'a larger disk': { diskSizeGB: 60 },
        'five nodes': replicaSet({ US_EAST_1: nodes(5, 7) }),
        'three nodes': replicaSet({ US_EAST_1: nodes(3, 7) }),
        'read-only and analytics nodes': replicaSet({
          US_EAST_1: nodes(3, 7, { readOnlyNodes: 2, analyticsNodes: 1 }),
        }),
        'another region beside it': replicaSet({ US_EAST_1: nodes(3, 7), US_EAST_2: nodes(2, 6) }),
        'the other region first': replicaSet({ US_EAST_2: nodes(3, 7), US_EAST_1: nodes(2, 6) }),
        'the other region alone': replicaSet({ US_EAST_2: nodes(3, 7) }),
        'the next version': { dbMajorVersion: '8.0' },
        'the first size': { ...size('M10'), diskSizeGB: 40 },
      },
    }));

  test('size, nodes and number of shards of a sharded cluster', (t) =>
    changeUnderLoad(t, {
      first: { clusterType: 'SHARDED' },
      changes: {
        'a larger size': size('M30'),
        'three shards': shape('SHARDED', 3, { US_EAST_1: nodes(3, 7) }),
        'five nodes': shape('SHARDED', 3, { US_EAST_1: nodes(5, 7) }),
        'another region': shape('SHARDED', 3, { US_EAST_2: nodes(3, 7) }),
        'one shard': shape('SHARDED', 1, { US_EAST_2: nodes(3, 7) }),
      },
    }));
});
