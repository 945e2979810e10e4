import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Timestamp } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((_id) => ({ _id })) });
});

afterEach(() => cluster.remove());

const find = (readConcern: Document = {}, more: Document = {}) =>
  cluster.run({ find: 'c', readConcern: { level: 'snapshot', ...readConcern }, ...more });

/** Runs a write, and returns its time. */
function timeOf(command: Document): unknown {
  const sent = cluster.send(command);
  cluster.worker.runTurn();
  return sent.operationTime;
}

describe('a snapshot read', () => {
  it('returns its time, which can be read again', () => {
    const { atClusterTime, firstBatch } = find().cursor;
    cluster.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
    assert.deepEqual(find({ atClusterTime }).cursor.firstBatch, firstBatch);
    assert.deepEqual(find().cursor.firstBatch, []);
  });

  it('has cursors that read at its time', () => {
    const { id } = find({}, { batchSize: 1 }).cursor;
    cluster.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
    assert.equal(cluster.run({ getMore: id, collection: 'c' }).cursor.nextBatch.length, 2);
  });

  it('expires a minute after the last one', () => {
    const { atClusterTime, id } = find({}, { batchSize: 1 }).cursor;
    cluster.run({ insert: 'c', documents: [{ _id: 4 }] });
    cluster.clock.advance(61_000);
    assert.equal(find({ atClusterTime }).code, 239);
    assert.equal(cluster.run({ getMore: id, collection: 'c' }).code, 43);
  });

  it('at the time of an earlier write reads the present data of a database that has not changed since', () => {
    const atClusterTime = timeOf({ insert: 'c', documents: [{ _id: 4 }] });
    cluster.run({ insert: 'c', documents: [{ _id: 5 }], $db: 'other' });
    const inOther = cluster.run({
      find: 'c',
      $db: 'other',
      readConcern: { level: 'snapshot', atClusterTime },
    });
    assert.equal(inOther.code, 239);
    const ids = () => find({ atClusterTime }).cursor.firstBatch.map(({ _id }: Document) => _id);
    assert.deepEqual(ids(), [1, 2, 3, 4]);
    cluster.run({ insert: 'c', documents: [{ _id: 6 }] });
    assert.deepEqual(ids(), [1, 2, 3, 4]);
  });

  it('at the time of the newest write is possible after no-op entries', () => {
    const atClusterTime = timeOf({ insert: 'c', documents: [{ _id: 4 }] });
    for (let i = 0; i < 3; i++) {
      cluster.clock.advance(10_000);
      cluster.run({ ping: 1 });
    }
    assert.equal(find({ atClusterTime }).cursor.firstBatch.length, 4);
  });

  it('at the time of a write is too old after another write to the database', () => {
    const atClusterTime = timeOf({ insert: 'c', documents: [{ _id: 4 }] });
    cluster.run({ insert: 'd', documents: [{ _id: 5 }] });
    assert.equal(find({ atClusterTime }).code, 239);
  });

  it('at a time not retained is too old', () => {
    assert.equal(find({ atClusterTime: new Timestamp({ t: 1, i: 1 }) }).code, 239);
  });

  it('at a future time is rejected', () => {
    assert.equal(find({ atClusterTime: new Timestamp({ t: 4_000_000_000, i: 1 }) }).code, 72);
  });

  it('is the only one beside local and majority that can wait for a time', () => {
    const afterClusterTime = new Timestamp({ t: 1, i: 1 });
    const codes = ['local', 'majority', 'snapshot', 'linearizable', 'available'].map(
      (level) => find({ level, afterClusterTime }).code,
    );
    assert.deepEqual(codes, [undefined, undefined, undefined, 72, 72]);
  });

  it('limits the number of retained snapshots', () => {
    const { atClusterTime } = find().cursor;
    for (let _id = 4; _id < 13; _id++) {
      cluster.run({ insert: 'c', documents: [{ _id }] });
      find();
    }
    assert.equal(find({ atClusterTime }).code, 239);
  });

  const refused: Array<[string, Document]> = [
    ['by a command without snapshot support', { count: 'c', readConcern: { level: 'snapshot' } }],
    [
      'at a time without level snapshot',
      { find: 'c', readConcern: { atClusterTime: new Timestamp({ t: 1, i: 1 }) } },
    ],
    ['by a write', { insert: 'c', documents: [{}], readConcern: { level: 'snapshot' } }],
  ];
  for (const [name, command] of refused) {
    it(`${name} is rejected`, () => assert.equal(cluster.run(command).code, 72));
  }
});
