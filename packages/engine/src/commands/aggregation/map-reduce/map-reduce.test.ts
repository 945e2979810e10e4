import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Document } from 'bson';
import { TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, k: 'a', n: 10 },
      { _id: 2, k: 'b', n: 5 },
      { _id: 3, k: 'a', n: 20 },
    ],
  });
});
after(() => cluster.remove());

/** Runs a command with a script. The first call waits until the script runtime has started. */
async function answer(more: Document): Promise<Document> {
  const sent = cluster.send({ mapReduce: 'c', map: 'function() { emit(this.k, this.n); }', reduce, ...more });
  cluster.worker.runTurn();
  while (sent.reply === undefined) await setImmediate();
  return sent.reply;
}

const reduce = 'function(key, values) { return Array.sum(values); }';
const inline = { out: { inline: 1 } };

test('values are emitted, grouped by key and reduced', async () => {
  const expected = [
    { _id: 'a', value: 30 },
    { _id: 'b', value: 5 },
  ];
  assert.deepEqual((await answer(inline)).results, expected);
});

test('query, sort and limit select the documents, finalize completes each value', async () => {
  assert.deepEqual((await answer({ ...inline, query: { n: { $gt: 5 } } })).results, [
    { _id: 'a', value: 30 },
  ]);
  const first = {
    ...inline,
    sort: { n: 1 },
    limit: 1,
    finalize: 'function(key, value) { return key + value; }',
  };
  assert.deepEqual((await answer(first)).results, [{ _id: 'b', value: 'b5' }]);
});

test('functions see the variables of the scope', async () => {
  const map = 'function() { emit(1, this.n * factor); }';
  assert.deepEqual((await answer({ ...inline, map, scope: { factor: 2 } })).results, [{ _id: 1, value: 70 }]);
});

test('results replace a collection, merge into it, or are reduced with it', async () => {
  assert.equal((await answer({ out: 'r' })).result, 'r');
  assert.deepEqual(
    cluster.documents('r').map(({ value }) => value),
    [30, 5],
  );
  await answer({ out: { reduce: 'r' }, query: { k: 'a' } });
  assert.deepEqual(
    cluster.documents('r').map(({ value }) => value),
    [60, 5],
  );
  await answer({ out: { merge: 'r' }, query: { _id: 1 } });
  assert.deepEqual(
    cluster.documents('r').map(({ value }) => value),
    [10, 5],
  );
});

test('invalid requests are rejected with their codes', async () => {
  assert.equal((await answer({ out: 5 })).code, 13606);
  assert.equal((await answer({ out: { other: 'r' } })).code, 13522);
  assert.equal((await answer({ ...inline, map: 5 })).code, 14);
  assert.equal((await answer({ ...inline, more: 1 })).code, 40415);
});
