import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { validator } from './validator.ts';

const unique = validator(Type.Array(Type.Unknown(), { uniqueItems: true }));

test('items of an array are compared by their value', async () => {
  for (const items of [[], [1, '1', true, 'true', null], [{ a: 1 }, { a: 2 }, [1], ['1'], { b: 1 }]])
    assert.equal(await unique(items), undefined);
  const messages = async (items: unknown[]) => (await unique(items))?.map(({ message }) => message);
  assert.deepEqual(await messages([{ a: 1, b: [2] }, 5, { b: [2], a: 1 }]), [
    'must NOT have duplicate items (items ## 0 and 2 are identical)',
  ]);
  assert.equal((await unique(['a', 'b', 'a']))?.[0]?.keyword, 'uniqueItems');
});

test('each item is read once', async () => {
  let reads = 0;
  const items = Array.from({ length: 1_000 }, (_, i) => ({
    get a() {
      reads++;
      return i;
    },
  }));
  assert.equal(await unique(items), undefined);
  assert.ok(reads < 5 * items.length, `${reads}`);
});
