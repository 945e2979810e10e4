import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '@portolan/test-support/databases';
import { addCount, addCounts, counter, countOf, countsOf, dropCounts } from './counters.ts';
import { openTestStore } from './testing.ts';

const clusters = counter('org', 'clusters');
const projects = counter('org', 'projects');

onEachDatabase('a count is the sum of the committed changes', async (t, database) => {
  const store = await openTestStore(t, database);
  const add = (delta: number, fails = false) =>
    store.write(async (tx) => {
      await addCount(tx, clusters, 'a', delta);
      await addCount(tx, projects, 'a', 1);
      if (fails) throw new Error('undone');
    });
  await Promise.all([add(3), add(-1), add(2), assert.rejects(add(100, true))]);
  assert.equal(await store.read((tx) => countOf(tx, clusters, 'a')), 4);
  assert.equal(await store.read((tx) => countOf(tx, projects, 'a')), 3);
  assert.equal(await store.read((tx) => countOf(tx, clusters, 'b')), 0);
  assert.equal(await store.write((tx) => countOf(tx, clusters, 'a')), 4);
});

onEachDatabase(
  'counts of several kinds and scopes are read at once, and deleted with their scope',
  async (t, database) => {
    const store = await openTestStore(t, database);
    await store.write(async (tx) => {
      await addCount(tx, clusters, 'a', 2);
      await addCount(tx, clusters, 'b', 5);
      await addCount(tx, projects, 'b', 9);
    });
    const counts = (...ids: string[]) =>
      store.read(async (tx) => Object.fromEntries(await countsOf(tx, { ships: clusters, projects }, ids)));
    assert.deepEqual(await counts('a', 'b', 'c'), {
      a: { ships: 2, projects: 0 },
      b: { ships: 5, projects: 9 },
      c: { ships: 0, projects: 0 },
    });
    assert.deepEqual(await counts(), {});
    await store.write((tx) => dropCounts(tx, { kind: 'org', id: 'b' }));
    assert.deepEqual(await counts('a', 'b'), { a: { ships: 2, projects: 0 }, b: { ships: 0, projects: 0 } });
    assert.equal(await store.read((tx) => countOf(tx, projects, 'b')), 0);
  },
);

onEachDatabase('one statement changes several counts', async (t, database) => {
  const store = await openTestStore(t, database);
  const add = (...[first, second, third]: readonly [number, number, number]) =>
    store.write((tx) =>
      addCounts(tx, [
        { of: clusters, id: 'a', delta: first },
        { of: clusters, id: 'b', delta: second },
        { of: projects, id: 'a', delta: third },
      ]),
    );
  await add(1, 2, 3);
  await add(10, 0, -1);
  const counts = await store.read((tx) => countsOf(tx, { clusters, projects }, ['a', 'b']));
  assert.deepEqual(Object.fromEntries(counts), {
    a: { clusters: 11, projects: 2 },
    b: { clusters: 2, projects: 0 },
  });
});

test('a count is identified by its declaration', () => {
  // @ts-expect-error: only `counter` creates counters, so that the name of a kind cannot be misspelled.
  const spelled: Parameters<typeof countOf>[1] = { scope: 'org', kind: 'clusters' };
  assert.deepEqual(spelled, clusters);
});
