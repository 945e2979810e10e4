import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unneededIndexes } from './unneeded.ts';

const now = new Date('2025-03-12T12:00:00Z');
const index = (name: string, key: object, more: { namespace?: string; spec?: object } = {}) => ({
  ...{ namespace: 'harbour.ships', name, key: { ...key }, accesses: { ops: 1, since: now } },
  ...({ spec: {}, ...more } as { namespace?: string; spec: Record<string, unknown> }),
});

test('hidden indexes and prefixes of other indexes of the collection are unneeded', async () => {
  const uses = [
    index('a', { a: 1 }),
    index('a_b', { a: 1, b: 1 }),
    index('hidden', { c: 1 }, { spec: { hidden: true } }),
    index('elsewhere', { a: 1 }, { namespace: 'harbour.ports' }),
  ];
  const { hiddenIndexes, redundantIndexes, unusedIndexes } = await unneededIndexes(uses, now);
  const names = [hiddenIndexes, redundantIndexes, unusedIndexes].map((all) => all.map(({ name }) => name));
  assert.deepEqual(names, [['hidden'], ['a'], []]);
});

test('an index is compared only with the indexes of its collection', async () => {
  let reads = 0;
  const uses = Array.from({ length: 2000 }, (_, i) => ({
    ...index(`i${i}`, { [`f${i}`]: 1 }),
    get namespace() {
      reads++;
      return `harbour.c${i % 500}`;
    },
  }));
  await unneededIndexes(uses, now);
  assert.ok(reads <= 4 * uses.length, `${reads}`);
});
