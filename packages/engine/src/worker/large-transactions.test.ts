import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Long, UUID } from 'bson';
import { TransactionMemory } from '../storage/transactions/transaction-memory.ts';
import { TestCluster } from './testing.ts';

const memory = new TransactionMemory({ transactionBytes: 100_000, bytes: 800_000 });
let cluster: TestCluster;

before(() => {
  cluster = new TestCluster({ transactionMemory: memory });
  cluster.run({ create: 'c' });
  cluster.run({ createIndexes: 'c', indexes: [{ key: { tags: 1 }, name: 'tags', unique: true }] });
});
after(() => cluster.remove());

/** Starts a transaction in a session of its own. */
function begun() {
  const lsid = { id: new UUID() };
  let starts: object = { startTransaction: true };
  const run = (command: object, name = Object.keys(command)[0] ?? '') => {
    const database = /Transaction$/.test(name) ? { $db: 'admin' } : {};
    const numbered = { lsid, txnNumber: Long.ONE, autocommit: false, ...starts, ...database };
    starts = {};
    return cluster.run({ ...command, ...numbered });
  };
  return run;
}

const documents = (count: number, from = 0) =>
  Array.from({ length: count }, (_, _id) => ({ _id: from + _id, tags: from + _id, pad: 'x'.repeat(10_000) }));

const tooLarge = {
  code: 388,
  errmsg: 'Transaction is too large and will not fit in the storage engine cache.',
};

test('a transaction that grows too large is aborted, and drivers do not repeat it', () => {
  const run = begun();
  assert.equal(run({ insert: 'c', documents: documents(5) }).n, 5);
  const { writeErrors, errorLabels } = run({ insert: 'c', documents: documents(5, 5) });
  assert.deepEqual([writeErrors, errorLabels], [[{ index: 4, ...tooLarge }], undefined]);
  assert.equal(run({ commitTransaction: 1 }).codeName, 'NoSuchTransaction');
  assert.equal(cluster.documents('c').length, 0);
  assert.equal(memory.used, 0);
});

test('many small writes count as well, among them removals and keys of unique indexes', () => {
  cluster.run({ insert: 'c', documents: Array.from({ length: 300 }, (_, _id) => ({ _id, tags: -1 - _id })) });
  const tags = Array.from({ length: 1_000 }, (_, tag) => tag);
  for (const command of [
    { delete: 'c', deletes: [{ q: {}, limit: 0 }] },
    { insert: 'c', documents: [{ _id: 'a', tags }] },
  ])
    assert.deepEqual(begun()(command).writeErrors, [{ index: 0, ...tooLarge }]);
  cluster.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
  assert.equal(memory.used, 0);
});

test('open transactions are limited together, and drivers repeat those that do not fit', () => {
  const open = [begun(), begun(), begun()];
  for (const run of open) assert.equal(run({ find: 'c' }).ok, 1);
  const { codeName, errorLabels } = begun()({ find: 'c' });
  assert.deepEqual([codeName, errorLabels], ['WriteConflict', ['TransientTransactionError']]);
  for (const run of open) assert.equal(run({ commitTransaction: 1 }).ok, 1);
  assert.equal(begun()({ find: 'c' }).ok, 1);
  cluster.clock.advance(60_000);
  assert.equal(memory.used, 0);
});
