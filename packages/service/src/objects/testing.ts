import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ObjectStore } from './object-store.ts';

/** Tests for every kind of store. They are subtests of `within`, if given. */
export function storeTests(opened: () => ObjectStore, within?: TestContext): Promise<unknown> {
  const run = within === undefined ? test : within.test.bind(within);
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));

  const kept = run('are stored, read, replaced and removed by key', async () => {
    const store = opened();
    assert.equal(await store.get('c/one'), undefined);
    await store.put('c/one', bytes('first'));
    await store.put('c/one', bytes('second'));
    await store.put('c/empty', bytes(''));
    assert.deepEqual(new Uint8Array((await store.get('c/one')) ?? []), bytes('second'));
    assert.deepEqual(new Uint8Array((await store.get('c/empty')) ?? [1]), bytes(''));
    await store.delete(['c/one', 'c/never']);
    assert.equal(await store.get('c/one'), undefined);
  });

  const listed = run('are listed by folder, with their sizes', async () => {
    const store = opened();
    await store.put('d/a b', bytes('12345'));
    await store.put('d/ü&<', bytes('1'));
    await store.put('d/deeper/c', bytes('1'));
    await store.put('dd', bytes('1'));
    assert.deepEqual(
      new Map(await store.list('d/')),
      new Map([
        ['a b', 5],
        ['ü&<', 1],
      ]),
    );
    assert.equal((await store.list('nothing/')).size, 0);
  });
  return Promise.all([kept, listed]);
}
