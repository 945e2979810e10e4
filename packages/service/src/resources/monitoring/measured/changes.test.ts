import assert from 'node:assert/strict';
import type { MemberSample } from '@portolan/engine/interface/engine';
import { idleSample } from '@portolan/engine/interface/testing';
import { serviceClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { makeCluster, openClusters } from '../../clusters/testing.ts';
import { isDue } from '../collect.ts';
import { hostMetrics } from '../figures/host.ts';
import { addSamples, deleteExpired } from './changes.ts';
import { lastSamples, measurementsIn } from './rows.ts';
import { readDatabases, readSums } from './stored.ts';

const NOON = Date.UTC(2026, 2, 12, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
const allowed = { connections: 1500, diskBytes: 10 * 1024 ** 3 };

/** Samples with ten inserts every ten seconds. */
function samplesFrom(first: number, last: number, from = NOON): MemberSample[] {
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const number = first + place;
    const operations = { ...idleSample(0).operations, insert: number * 10 };
    return idleSample(from + number * 10_000, { operations, taken: NOON + number * 10_000 });
  });
}

const sizes = { data: 10, storage: 8192, index: 8192, objects: 1, collections: 1, indexes: 1, views: 0 };
const always = { start: 0, end: Number.MAX_SAFE_INTEGER };

onEachDatabase(
  'each sample counts once per granularity, however many instances read it',
  async (t, database) => {
    const { store, groupId } = await openClusters(t, database);
    const { id: clusterId } = await store.write((tx) => makeCluster(tx, groupId));
    const of = (seconds: number, memberId = 'shard-00-00') =>
      store.read((tx) => measurementsIn(tx, { clusterId, memberId, seconds }, always));
    const add = (samples: readonly MemberSample[], databases = { harbour: sizes }) =>
      store.write((tx) =>
        addSamples(tx, {
          clusterId,
          samples: new Map([
            ['shard-00-00', samples],
            ['shard-00-01', samples],
          ]),
          databases,
        }),
      );
    await add(samplesFrom(0, 5));
    // Two concurrent writers add overlapping samples.
    await Promise.all([add(samplesFrom(2, 11)), add(samplesFrom(4, 13))]);
    await add(samplesFrom(12, 13));
    const minutes = await of(60);
    assert.deepEqual(
      minutes.map(({ start }) => start),
      [NOON, NOON + MINUTE, NOON + 2 * MINUTE],
    );
    const counted = minutes.map(({ document }) => readSums(document));
    assert.deepEqual(
      counted.map(({ samples, millis, counts }) => [samples, millis, counts['op.insert']]),
      [
        [6, 50_000, 50],
        [6, 60_000, 60],
        [2, 20_000, 20],
      ],
    );
    assert.equal(hostMetrics.OPCOUNTER_INSERT?.read?.(counted[1] as (typeof counted)[number], allowed), 1);
    for (const seconds of [3600, 86_400]) {
      const [whole, ...others] = await of(seconds);
      assert.deepEqual(others, []);
      const { samples, counts } = readSums(whole?.document ?? '');
      assert.deepEqual([samples, counts['op.insert']], [14, 130]);
    }
    const named = (await of(60, '')).map(({ document }) => readDatabases(document));
    // Compare only the first and the last row. A row between them may be missing, because the second writer stores no
    // databases if it finds no new samples.
    assert.deepEqual([named.at(0), named.at(-1)], [{ harbour: sizes }, { harbour: sizes }]);
    const last = await store.read((tx) => lastSamples(tx, clusterId));
    assert.equal(last.get('shard-00-01')?.taken, NOON + 130_000);
  },
);

onEachDatabase(
  'rows are deleted after the retention of their granularity; days are kept',
  async (t, database) => {
    const machine = testClock(NOON);
    const { advance } = machine;
    const { store, groupId } = await openClusters(t, database, [], { clock: serviceClock(machine) });
    const { id: clusterId } = await store.write((tx) => makeCluster(tx, groupId));
    const add = (samples: readonly MemberSample[]) =>
      store.write((tx) =>
        addSamples(tx, { clusterId, samples: new Map([['m', samples]]), databases: undefined }),
      );
    const left = async () => {
      const rows = [60, 3600, 86_400].map((seconds) =>
        store.read((tx) => measurementsIn(tx, { clusterId, memberId: 'm', seconds }, always)),
      );
      return (await Promise.all(rows)).map((found) => found.length);
    };
    await add(samplesFrom(0, 0));
    advance(47 * 3_600_000);
    await store.write(deleteExpired);
    assert.deepEqual(await left(), [1, 1, 1]);
    advance(2 * 3_600_000);
    await add(samplesFrom(1, 1, NOON + 2 * DAY));
    await store.write(deleteExpired);
    assert.deepEqual(await left(), [1, 2, 2]);
    advance(64 * DAY);
    await store.write(deleteExpired);
    assert.deepEqual(await left(), [0, 0, 2]);
  },
);

const member = (samples: MemberSample[]) => [{ samples }];

onEachDatabase('nothing is stored for a deleted cluster', async (t, database) => {
  const { store } = await openClusters(t, database);
  const samples = new Map([['m', samplesFrom(0, 1)]]);
  const reading = { clusterId: 'gone', samples, databases: {} };
  assert.equal((await store.write((tx) => addSamples(tx, reading))).size, 0);
  assert.equal(isDue(member(samplesFrom(0, 5)), samplesFrom(0, 0)[0]), false);
  assert.equal(isDue(member(samplesFrom(0, 6)), samplesFrom(0, 0)[0]), true, 'another minute');
  const standing = samplesFrom(0, 6).map((sample) => ({ ...sample, time: NOON }));
  assert.equal(isDue(member(standing), standing[0]), true, 'service time stands still');
  assert.equal(isDue(member(standing), standing[1]), false);
});
