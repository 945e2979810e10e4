import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'c', capped: true, size: 4096, max: 3 });
});
afterEach(() => cluster.remove());

const insert = (...ids: number[]) => cluster.run({ insert: 'c', documents: ids.map((_id) => ({ _id })) });
const ids = (collection = 'c') => cluster.documents(collection).map(({ _id }) => _id);

describe('a capped collection', () => {
  it('removes the oldest documents in the write that exceeds the limit', () => {
    assert.equal(insert(5, 4, 3, 2).n, 4);
    assert.deepEqual(ids(), [4, 3, 2]);
    assert.equal(cluster.run({ count: 'c' }).n, 3);
    const removed = cluster.run({ find: 'oplog.rs', $db: 'local', filter: { op: 'd' } }).cursor.firstBatch;
    assert.deepEqual(
      removed.map(({ o }: Document) => o),
      [{ _id: 5 }],
    );
  });

  it('respects its size', () => {
    const documents = [1, 2, 3].map((_id) => ({ _id, pad: 'x'.repeat(1500) }));
    cluster.run({ insert: 'c', documents });
    assert.deepEqual(ids(), [2, 3]);
  });

  it('stores a document larger than its size, and only that', () => {
    insert(1);
    cluster.run({ insert: 'c', documents: [{ _id: 2, pad: 'x'.repeat(5000) }] });
    assert.deepEqual(ids(), [2]);
    insert(3);
    assert.deepEqual(ids(), [3]);
  });

  it('has cursors that fail if their position has been removed between two batches', () => {
    const opened: Array<[Document, number[]]> = [
      [{ find: 'c', batchSize: 1 }, [2, 3]],
      [{ find: 'c', batchSize: 1, sort: { $natural: -1 } }, [2, 1]],
      [{ aggregate: 'c', pipeline: [{ $match: { x: null } }], cursor: { batchSize: 1 } }, [2, 3]],
    ];
    for (const [command, rest] of opened) {
      cluster.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
      insert(1, 2, 3);
      const open = () => cluster.run(command).cursor.id;
      const [kept, lost] = [open(), open()];
      assert.deepEqual(
        cluster.run({ getMore: kept, collection: 'c' }).cursor.nextBatch.map(({ _id }: Document) => _id),
        rest,
      );
      insert(4, 5, 6);
      const { code, errmsg } = cluster.run({ getMore: lost, collection: 'c' });
      assert.equal(code, 136);
      assert.match(errmsg, /position in capped collection being deleted/);
    }
    insert(7);
    const sorted = cluster.run({ find: 'c', sort: { _id: 1 }, batchSize: 1 }).cursor.id;
    insert(8, 9, 10);
    assert.equal(cluster.run({ getMore: sorted, collection: 'c' }).ok, 1);
  });

  it('supports reads and writes like any other, also after a restart', () => {
    insert(1, 2, 3);
    cluster.reopen();
    cluster.run({ delete: 'c', deletes: [{ q: { _id: 2 }, limit: 1 }] });
    cluster.run({ update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { a: 'longer' } } }] });
    insert(4, 5);
    assert.deepEqual(ids(), [3, 4, 5]);
    const { capped, max, maxSize } = cluster.run({ collStats: 'c' });
    assert.deepEqual({ capped, max, maxSize }, { capped: true, max: 3, maxSize: 4096 });
  });

  it('applies changed limits from the next insert on', () => {
    insert(1, 2, 3);
    assert.equal(cluster.run({ collMod: 'c', cappedMax: 2, cappedSize: 8000 }).ok, 1);
    assert.deepEqual(ids(), [1, 2, 3]);
    const [{ options }] = cluster.run({ listCollections: 1 }).cursor.firstBatch;
    assert.deepEqual(options, { capped: true, size: 8000, max: 2 });
  });

  it('is created from another collection', () => {
    const documents = Array.from({ length: 5 }, (_, _id) => ({ _id, pad: 'x'.repeat(1300) }));
    cluster.run({ insert: 'plain', documents });
    assert.equal(cluster.run({ cloneCollectionAsCapped: 'plain', toCollection: 'copy', size: 4096 }).ok, 1);
    assert.deepEqual(ids('copy'), [2, 3, 4]);
    assert.deepEqual(ids('plain').length, 5);
    assert.equal(cluster.run({ convertToCapped: 'plain', size: 4096 }).ok, 1);
    assert.deepEqual(ids('plain'), [2, 3, 4]);
    assert.equal(cluster.run({ collStats: 'plain' }).capped, true);
    assert.equal(cluster.run({ convertToCapped: 'none', size: 4096 }).code, 26);
  });
});

describe('a tailable cursor', () => {
  const open = (more: Document = {}) =>
    cluster.run({ find: 'c', tailable: true, batchSize: 10, ...more }).cursor;
  const next = (getMore: bigint, more: Document = {}) => cluster.run({ getMore, collection: 'c', ...more });

  it('stays open at the end and returns new documents', () => {
    insert(1);
    const { id, firstBatch } = open();
    assert.deepEqual(firstBatch, [{ _id: 1 }]);
    assert.deepEqual(next(id).cursor, { nextBatch: [], id, ns: 'test.c' });
    insert(2, 3);
    assert.deepEqual(next(id).cursor.nextBatch, [{ _id: 2 }, { _id: 3 }]);
  });

  it('waits for new documents with awaitData', () => {
    insert(1);
    const { id } = open({ awaitData: true });
    const sent = cluster.send({ getMore: id, collection: 'c', maxTimeMS: 500 });
    const answered = () => sent.reply;
    cluster.worker.runTurn();
    assert.equal(answered(), undefined);
    insert(2);
    assert.deepEqual(answered()?.cursor.nextBatch, [{ _id: 2 }]);
  });

  it('filters, skips and projects', () => {
    insert(1, 2, 3);
    const { firstBatch } = open({ filter: { _id: { $gt: 1 } }, skip: 1, projection: { _id: 0, a: 'x' } });
    assert.deepEqual(firstBatch, [{ a: 'x' }]);
  });

  it('fails if its position has been removed', () => {
    insert(1, 2, 3);
    const { id } = open();
    insert(4, 5, 6);
    assert.equal(next(id).code, 136);
    assert.equal(next(id).code, 43);
  });

  it('is closed at once if there are no documents', () => {
    assert.equal(open().id, 0n);
    assert.equal(cluster.run({ find: 'none', tailable: true }).cursor.id, 0n);
  });

  const rejected: Array<[string, Document, number]> = [
    ['with another sort', { sort: { _id: 1 } }, 2],
    ['with singleBatch', { singleBatch: true }, 2],
    ['on a collection that is not capped', { find: 'plain' }, 2],
  ];
  for (const [what, more, code] of rejected) {
    it(`rejects ${what}`, () => {
      cluster.run({ insert: 'plain', documents: [{ _id: 1 }] });
      assert.equal(cluster.run({ find: 'c', tailable: true, ...more }).code, code);
    });
  }

  it('ends with its collection', () => {
    insert(1);
    const { id } = open();
    cluster.run({ drop: 'c' });
    assert.equal(next(id).code, 175);
  });
});
