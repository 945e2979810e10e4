import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { cache } from './cache.ts';
import { cacheKeysOf } from './cache-keys.ts';
import { scopeKey, touchScope } from './scope.ts';
import type { Tx } from './store.ts';
import { openTestStore } from './testing.ts';

const keys = cacheKeysOf('name');

onEachDatabase('touching a project invalidates dependent values only', async (t, database) => {
  const store = await openTestStore(t, database);
  const loads: string[] = [];
  const names = cache<string>({
    store,
    machine: testClock(),
    keys,
    async load(_, id, dependsOn) {
      loads.push(id);
      dependsOn(scopeKey({ kind: 'group', id }));
      return id;
    },
  });
  t.after(() => names.close());
  const readBoth = async () => [await names.get('a'), await names.get('b')];
  await readBoth();
  await store.write(async (tx) => {
    touchScope(tx, { kind: 'group', id: 'a' });
    touchScope(tx, { kind: 'org', id: 'b' });
  });
  await readBoth();
  assert.deepEqual(loads, ['a', 'b', 'a']);
});

test('a key belongs to a declared kind', () => {
  // @ts-expect-error: a string is not a cache key, even if the two are equal.
  const spelled: Parameters<Tx['touch']>[0] = 'group a';
  assert.equal(spelled, scopeKey({ kind: 'group', id: 'a' }));
});
