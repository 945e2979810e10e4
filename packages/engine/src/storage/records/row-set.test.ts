import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchedStatement } from '../../statement/statement.ts';
import { RowSet } from './row-set.ts';

test('counts each id once, however large the ids are', () => {
  const set = new RowSet(() => {});
  assert.equal(set.addAll('1,2,3,2'), 2);
  assert.equal(set.addAll(`4095,4096,${2 ** 40},${2 ** 40 + 1},${2 ** 40},3`), 3);
  assert.equal(set.size, 7);
  assert.deepEqual([set.add(5), set.add(5), set.add(4_096), set.size], [true, false, false, 8]);
});

test('counts its memory, which a bit for each neighbouring id fills slowly', () => {
  const statement = new WatchedStatement();
  statement.mostBytes = 100_000;
  const set = new RowSet((bytes) => statement.hold(bytes, 'count'));
  set.addAll(Array.from({ length: 100_000 }, (_, i) => 1e9 + i).join());
  assert.equal(set.size, 100_000);
  assert.ok(statement.held > 12_500);
  const sparse = Array.from({ length: 1_000 }, (_, i) => i * 1e6).join();
  assert.throws(() => set.addAll(sparse), { codeName: 'ExceededMemoryLimit' });
});
