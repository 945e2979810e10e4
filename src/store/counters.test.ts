import assert from 'node:assert/strict';
import { onEachDatabase } from '../../test/support/databases.ts';
import { addCount, countOf, countsOf, dropCounts } from './counters.ts';
import { openTestStore } from './testing.ts';

onEachDatabase('a count is what was added to it by transactions that were kept', async (t, database) => {
  const store = await openTestStore(t, database);
  const add = (delta: number, fails = false) =>
    store.write(async (tx) => {
      await addCount(tx, 'org:a', 'cluster', delta);
      await addCount(tx, 'org:a', 'project', 1);
      if (fails) throw new Error('undone');
    });
  await Promise.all([add(3), add(-1), add(2), assert.rejects(add(100, true))]);
  assert.equal(await store.read((tx) => countOf(tx, 'org:a', 'cluster')), 4);
  assert.equal(await store.read((tx) => countOf(tx, 'org:a', 'project')), 3);
  assert.equal(await store.read((tx) => countOf(tx, 'org:b', 'cluster')), 0);
  assert.equal(await store.write((tx) => countOf(tx, 'org:a', 'cluster')), 4);
});

onEachDatabase('counts of several scopes come at once, and go with their scope', async (t, database) => {
  const store = await openTestStore(t, database);
  await store.write(async (tx) => {
    for (const [scope, count] of [
      ['org:a', 2],
      ['org:b', 5],
    ] as const)
      await addCount(tx, scope, 'x', count);
    await addCount(tx, 'org:b', 'y', 9);
  });
  const counts = (...scopes: string[]) =>
    store.read(async (tx) => Object.fromEntries(await countsOf(tx, scopes, 'x')));
  assert.deepEqual(await counts('org:a', 'org:b', 'org:c'), { 'org:a': 2, 'org:b': 5, 'org:c': 0 });
  assert.deepEqual(await counts(), {});
  await store.write((tx) => dropCounts(tx, 'org:b'));
  assert.deepEqual(await counts('org:a', 'org:b'), { 'org:a': 2, 'org:b': 0 });
  assert.equal(await store.read((tx) => countOf(tx, 'org:b', 'y')), 0);
});
