import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { openInstance, TEST_ORG } from '../testing.ts';
import {
  appendRequests,
  countRequests,
  deleteRequests,
  pageOfRequests,
  TRAIL_SIZE,
  type TrailEntry,
} from './rows.ts';

const entry = (number: number): TrailEntry => ({
  requestId: `r${number}`,
  at: number,
  caller: { kind: 'apiKey', id: 'a', name: 'abcdefgh' },
  address: '203.0.113.7',
  operation: 'getProject',
  method: 'GET',
  path: '/api/service/v2/groups/a',
  status: 200,
  milliseconds: 1,
});
const entries = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => entry(from + index));
const page = (itemsPerPage: number, after?: string) => ({
  itemsPerPage,
  pageNum: 1,
  ...(after === undefined ? {} : { after }),
});

onEachDatabase(
  'the trail keeps a limited number of the newest requests of each organization',
  async (t, database) => {
    const { store } = await openInstance(t, database);
    const append = (orgId: string, some: TrailEntry[]) =>
      store.write((tx) => appendRequests(tx, orgId, some));
    for (let from = 0; from < TRAIL_SIZE; from += 1000) await append(TEST_ORG, entries(from, 1000));
    await append('other', entries(0, 1));
    await append(TEST_ORG, entries(TRAIL_SIZE, 4));
    assert.equal(await store.read((tx) => countRequests(tx, TEST_ORG)), TRAIL_SIZE);
    const first = await store.read((tx) => pageOfRequests(tx, TEST_ORG, page(2)));
    assert.deepEqual(
      first.entries.map(({ at }) => at),
      [TRAIL_SIZE + 3, TRAIL_SIZE + 2],
    );
    const second = await store.read((tx) => pageOfRequests(tx, TEST_ORG, page(TRAIL_SIZE, first.next)));
    assert.deepEqual(
      [second.entries.length, second.entries.at(-1)?.at, second.next],
      [TRAIL_SIZE - 2, 4, undefined],
    );
    const byNumber = await store.read((tx) =>
      pageOfRequests(tx, TEST_ORG, { itemsPerPage: 1500, pageNum: 2 }),
    );
    assert.deepEqual([byNumber.entries[0]?.at, byNumber.entries.length], [TRAIL_SIZE + 3 - 1500, 1500]);
    const beyond = await store.read((tx) => pageOfRequests(tx, TEST_ORG, { itemsPerPage: 500, pageNum: 99 }));
    assert.deepEqual(beyond, { entries: [], next: undefined });
    await store.write((tx) => deleteRequests(tx, TEST_ORG));
    assert.equal(await store.read((tx) => countRequests(tx, TEST_ORG)), 0);
    assert.equal(await store.read((tx) => countRequests(tx, 'other')), 1);
  },
);

test('several instances write to the same trail', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  for (let number = 0; number < 40; number++) {
    (number % 2 === 0 ? here : there).access.recordRequest(TEST_ORG, entry(number));
  }
  await Promise.all([here.access.close(), there.access.close()]);
  const { entries: kept } = await here.store.read((tx) => pageOfRequests(tx, TEST_ORG, page(100)));
  assert.deepEqual(
    kept.map(({ at }) => at).toSorted((a, b) => a - b),
    entries(0, 40).map(({ at }) => at),
  );
});

test('a flood of requests is written before it fills the memory', async (t) => {
  const instance = await openInstance(t, await emptyDatabase.sqlite(t));
  for (let number = 0; number < TRAIL_SIZE + 10; number++) {
    instance.access.recordRequest(TEST_ORG, entry(number));
  }
  // The machine clock has not advanced, so no timer has written anything yet.
  await instance.access.close();
  const { entries: kept } = await instance.store.read((tx) => pageOfRequests(tx, TEST_ORG, page(1)));
  assert.equal(kept[0]?.at, TRAIL_SIZE + 9);
});
