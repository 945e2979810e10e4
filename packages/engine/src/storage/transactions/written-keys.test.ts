import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const MANY = 3_000;
let cluster: TestCluster;

before(() => {
  cluster = new TestCluster({}, { unsynced: true });
  for (const collection of ['c', 'large'])
    cluster.run({ createIndexes: collection, indexes: [{ key: { a: 1 }, name: 'a' }] });
  cluster.run({ insert: 'c', documents: numbers(30).map((_id) => ({ _id, a: [_id % 7, -_id] })) });
  cluster.run({ insert: 'large', documents: numbers(MANY).map((_id) => ({ _id, a: _id % 8 })) });
});
after(() => cluster.remove());

/** Returns a function that runs commands in a transaction. */
function transaction() {
  const lsid = { id: new UUID() };
  let start: object = { startTransaction: true };
  return (command: Document): Document => {
    const options = { lsid, txnNumber: Long.ONE, autocommit: false, ...start };
    start = {};
    return cluster.run({ ...command, ...options });
  };
}

describe('documents that a transaction has written', () => {
  it('are sorted once for a statement that reads an index for each value or document', () => {
    const run = transaction();
    const documents = numbers(MANY).map((_id) => ({ _id: -1 - _id, a: _id }));
    assert.equal(run({ insert: 'large', documents }).n, MANY);
    const { monotonic } = cluster.clock;
    let looks = 0;
    cluster.clock.monotonic = () => looks++ / 1_000;
    const { values } = run({ distinct: 'large', key: 'a' });
    const pipeline = [
      { $match: { _id: { $gte: 0 } } },
      { $lookup: { from: 'large', localField: '_id', foreignField: 'a', as: 'same' } },
      { $match: { same: { $ne: [] } } },
      { $count: 'n' },
    ];
    const { cursor } = run({ aggregate: 'large', pipeline, cursor: {} });
    cluster.clock.monotonic = monotonic;
    assert.deepEqual(values, numbers(MANY));
    assert.deepEqual(cursor.firstBatch, [{ n: MANY }]);
    // Sorting the documents for each of the 6,000 scans would take 18,000,000 checks, and one in 16 reads the clock.
    assert.ok(looks < 100_000, `${looks}`);
  });

  const filters = [{}, { a: { $in: [1, 3, 6, -5, 100] } }, { a: { $gt: -12, $lte: 2 } }, { a: { $lt: 0 } }];
  const reads = filters.flatMap((filter) =>
    [{ a: 1 }, { a: -1 }, { _id: 1 }, { _id: -1 }, { $natural: 1 }, { $natural: -1 }].map((sort) => ({
      find: 'c',
      filter,
      sort,
    })),
  );
  const byId = [1, -1].map((_id) => ({
    find: 'c',
    filter: { _id: { $in: [3, 100, 5, 9], $gte: 5 } },
    sort: { _id },
  }));

  it('are returned in the same order as after the commit', () => {
    const run = transaction();
    run({
      update: 'c',
      updates: [{ q: { _id: { $mod: [3, 0] } }, u: { $set: { a: [5, 100] } }, multi: true }],
    });
    run({ delete: 'c', deletes: [{ q: { _id: { $mod: [5, 0] } }, limit: 0 }] });
    run({ insert: 'c', documents: numbers(10).map((n) => ({ _id: 100 + n, a: [n - 5, n, 100] })) });
    run({ update: 'c', updates: [{ q: { _id: 101 }, u: { $set: { a: 1 } } }] });
    const idsOf = ({ cursor }: Document) => cursor.firstBatch.map(({ _id }: Document) => _id);
    const within = [...reads, ...byId].map((command) => idsOf(run(command)));
    assert.equal(run({ commitTransaction: 1, $db: 'admin' }).ok, 1);
    for (const [i, command] of [...reads, ...byId].entries())
      assert.deepEqual(within[i], idsOf(cluster.run(command)), JSON.stringify(command));
  });
});
