import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { type CacheOptions, cache } from './cache.ts';
import { cacheKeysOf } from './cache-keys.ts';
import { settings } from './settings.ts';
import type { Store } from './store.ts';
import { openTestStore } from './testing.ts';

const keys = cacheKeysOf('setting');

/** Returns a cache of settings by name. It counts its loads, and a test can pause a load. */
async function openCache(
  t: TestContext,
  database: DatabaseLocation,
  options: Partial<CacheOptions<unknown>> = {},
) {
  const store = await openTestStore(t, database);
  const machine = testClock();
  const loads: string[] = [];
  const gate = { wait: Promise.resolve() };
  const kept = cache<unknown>({
    store,
    machine,
    keys,
    async load(tx, name) {
      loads.push(name);
      const value = await settings.read(tx, name);
      await gate.wait;
      return value;
    },
    ...options,
  });
  t.after(() => kept.close());
  return { store, machine, loads, gate, kept };
}

const set = (store: Store, name: string, value: unknown, ...touched: string[]) =>
  store.write(async (tx) => {
    await settings.write(tx, name, value);
    tx.touch(...touched.map(keys));
  });

onEachDatabase('a value is loaded once for concurrent callers', async (t, database) => {
  const { store, loads, kept } = await openCache(t, database);
  await set(store, 'a', 1);
  assert.deepEqual(await Promise.all([kept.get('a'), kept.get('a'), kept.get('b')]), [1, 1, undefined]);
  await kept.get('a');
  assert.deepEqual(loads.toSorted(), ['a', 'b']);
});

onEachDatabase(
  'a commit that touches the key invalidates the value, a rollback does not',
  async (t, database) => {
    const { store, loads, kept } = await openCache(t, database);
    assert.equal(await kept.get('a'), undefined);
    await assert.rejects(
      store.write(async (tx) => {
        tx.touch(keys('a'));
        throw new Error('undone');
      }),
    );
    await kept.get('a');
    await set(store, 'other', 1, 'other');
    await kept.get('a');
    assert.deepEqual(loads, ['a']);
    await set(store, 'a', 2, 'a');
    assert.equal(await kept.get('a'), 2);
  },
);

onEachDatabase('a value read before a commit is not cached after it', async (t, database) => {
  const { store, gate, kept, loads } = await openCache(t, database);
  await set(store, 'a', 'old');
  const release = Promise.withResolvers<void>();
  gate.wait = release.promise;
  const early = kept.get('a');
  // Wait until the load has read the value, and then change the value.
  while (loads.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await set(store, 'a', 'new', 'a');
  gate.wait = Promise.resolve();
  assert.equal(await kept.get('a'), 'new');
  release.resolve();
  await early;
  assert.equal(await kept.get('a'), 'new');
});

onEachDatabase(
  'a touch of a dependency invalidates the value, even if the dependency is known only later',
  async (t, database) => {
    const release = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const { store, kept } = await openCache(t, database, {
      async load(tx, _name, dependsOn) {
        const value = await settings.read(tx, 'base');
        read.resolve();
        await release.promise;
        dependsOn(keys('base'));
        return value;
      },
    });
    await set(store, 'base', 'old');
    const early = kept.get('a');
    await read.promise;
    await set(store, 'base', 'new', 'base');
    release.resolve();
    await early;
    assert.equal(await kept.get('a'), 'new');
    await set(store, 'base', 'newest', 'base');
    assert.equal(await kept.get('a'), 'newest');
  },
);

onEachDatabase('a failed load is not cached', async (t, database) => {
  let tries = 0;
  const { kept } = await openCache(t, database, {
    async load() {
      if (++tries === 1) throw new Error('first');
      return tries;
    },
  });
  await assert.rejects(kept.get('a'), { message: 'first' });
  assert.equal(await kept.get('a'), 2);
});

onEachDatabase('the least recently used values are evicted', async (t, database) => {
  const { loads, kept } = await openCache(t, database, { limit: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await kept.get(key);
  assert.deepEqual(loads, ['a', 'b', 'c', 'b']);
});

onEachDatabase('a change of another instance is seen within a second', async (t, database, kind) => {
  const { store, machine, kept } = await openCache(t, database);
  const other = store.capabilities.shared ? await openTestStore(t, database) : store;
  await set(store, 'a', 'old');
  await kept.get('a');
  await set(other, 'a', 'new');
  machine.advance(1000);
  // SQLite has a single instance, which sees all commits, so the value stays cached until a commit touches its key.
  assert.equal(await kept.get('a'), { sqlite: 'old', postgres: 'new' }[kind]);
});

onEachDatabase('values rejected by `keep` are loaded each time', async (t, database) => {
  const keep = (value: unknown) => value !== undefined;
  const { store, machine, loads, kept } = await openCache(t, database, { keep });
  await set(store, 'a', 1);
  await kept.get('none');
  await kept.get('none');
  assert.deepEqual([await kept.get('a'), await kept.get('a')], [1, 1]);
  assert.deepEqual(loads, ['none', 'none', 'a']);
  assert.deepEqual([kept.has('a'), kept.has('none')], [true, false]);
  machine.advance(1000);
  assert.equal(kept.has('a'), !store.capabilities.shared);
});
