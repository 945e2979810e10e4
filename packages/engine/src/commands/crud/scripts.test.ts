import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Document } from 'bson';
import { info, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, a: 1 },
      { _id: 2, a: 5 },
      { _id: 3, a: 9 },
    ],
  });
});
after(() => cluster.remove());

/** Runs a command with a script. The first call waits until the script runtime has started. */
async function answer(command: Document): Promise<Document> {
  const sent = cluster.send(command);
  cluster.worker.runTurn();
  while (sent.reply === undefined) await setImmediate();
  return sent.reply;
}

const ids = ({ cursor, errmsg }: Document) => {
  assert.ok(cursor, errmsg);
  return cursor.firstBatch.map(({ _id }: Document) => _id);
};
const body = 'function (a, b) { return a * b; }';
const product = { $function: { body, args: ['$a', 2], lang: 'js' } };

test('a filter may call a script', async () => {
  assert.deepEqual(ids(await answer({ find: 'c', filter: { $where: 'this.a > 3' } })), [2, 3]);
  assert.deepEqual(
    ids(await answer({ find: 'c', filter: { a: 5, $where: 'function () { return obj.a == 5; }' } })),
    [2],
  );
  assert.equal((await answer({ count: 'c', query: { $where: 'this.a < 3' } })).n, 1);
  const { writeErrors, nModified } = await answer({
    update: 'c',
    updates: [{ q: { $where: 'this.a == 9' }, u: { $set: { b: 1 } } }],
  });
  assert.deepEqual([writeErrors, nModified], [undefined, 1]);
});

test('an expression may call a script', async () => {
  const pipeline = [{ $project: { p: product } }];
  const { cursor } = await answer({ aggregate: 'c', pipeline, cursor: {} });
  assert.deepEqual(
    cursor.firstBatch.map(({ p }: Document) => p),
    [2, 10, 18],
  );
  assert.deepEqual(ids(await answer({ find: 'c', filter: { $expr: { $eq: [product, 10] } } })), [2]);
});

test('an accumulator may be a script', async () => {
  const spec = {
    init: 'function (start) { return { sum: start, count: 0 }; }',
    initArgs: [100],
    accumulate: 'function (state, a) { return { sum: state.sum + a, count: state.count + 1 }; }',
    accumulateArgs: ['$a'],
    merge: 'function (one, other) { return one; }',
    finalize: 'function (state) { return state.sum + "/" + state.count; }',
    lang: 'js',
  };
  const { cursor } = await answer({
    aggregate: 'c',
    pipeline: [{ $group: { _id: null, s: { $accumulator: spec } } }],
    cursor: {},
  });
  assert.deepEqual(cursor.firstBatch, [{ _id: null, s: '115/3' }]);
});

const rejected: ReadonlyArray<readonly [command: Document, code: number]> = [
  [{ find: 'c', filter: { $where: 'gone.x' } }, 139],
  [{ find: 'c', filter: { $where: 1 } }, 2],
  [{ aggregate: 'c', pipeline: [{ $match: { $where: '1' } }], cursor: {} }, 2],
  ...(
    [
      [1, 31260],
      [{ args: [], lang: 'js' }, 31261],
      [{ body, lang: 'js' }, 31263],
      [{ body, args: [] }, 31418],
      [{ body, args: [], lang: 'py' }, 31419],
      [{ body, args: '$a', lang: 'js' }, 31266],
      [{ body: '$a', args: [], lang: 'js' }, 31432],
      [{ body: 5, args: [], lang: 'js' }, 31262],
    ] as const
  ).map(
    ([spec, code]) =>
      [{ aggregate: 'c', pipeline: [{ $project: { p: { $function: spec } } }], cursor: {} }, code] as const,
  ),
];

test('rejects invalid scripts', async () => {
  for (const [command, code] of rejected)
    assert.equal((await answer(command)).code, code, JSON.stringify(command));
});

test('a deployment may disable scripts', async () => {
  cluster.configure({ ...info, arguments: { javascriptEnabled: false } });
  assert.equal((await answer({ find: 'c', filter: { $where: '1' } })).code, 2);
  assert.equal(
    (await answer({ aggregate: 'c', pipeline: [{ $set: { p: product } }], cursor: {} })).code,
    31264,
  );
  cluster.configure({ ...info, arguments: {} });
});
