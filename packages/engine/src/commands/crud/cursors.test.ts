import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ drop: 'c' });
  cluster.run({ insert: 'c', documents: Array.from({ length: 10 }, (_, _id) => ({ _id, v: 0 })) });
});

const open = (more: Document = {}) => cluster.run({ find: 'c', batchSize: 2, ...more }).cursor;
const getMore = (id: unknown, more: Document = {}) => cluster.run({ getMore: id, collection: 'c', ...more });
const ids = (batch: Document[]) => batch.map(({ _id }) => _id);

describe('a cursor', () => {
  it('returns its result in batches and closes after the last', () => {
    const { id, firstBatch } = open();
    assert.deepEqual(ids(firstBatch), [0, 1]);
    const { ok, cursor } = getMore(id, { batchSize: 3 });
    assert.equal(ok, 1);
    assert.deepEqual(
      { ...cursor, nextBatch: ids(cursor.nextBatch) },
      { nextBatch: [2, 3, 4], id, ns: 'test.c' },
    );
    const last = getMore(id).cursor;
    assert.deepEqual([ids(last.nextBatch), last.id], [[5, 6, 7, 8, 9], 0n]);
    assert.equal(getMore(id).code, 43);
  });

  it('is not opened for a single batch or if the limit is reached', () => {
    assert.equal(open({ singleBatch: true }).id, 0n);
    assert.equal(open({ limit: 2 }).id, 0n);
    assert.equal(open({ filter: { _id: { $in: [1, 2] } } }).id, 0n);
    assert.notEqual(open({ limit: 3 }).id, 0n);
  });

  it('applies its limit across batches', () => {
    const { id } = open({ limit: 5, skip: 1 });
    const { nextBatch, id: rest } = getMore(id).cursor;
    assert.deepEqual([ids(nextBatch), rest], [[3, 4, 5], 0n]);
  });

  it('is read only with the API parameters of the command that opened it', () => {
    const api = { apiVersion: '1', apiStrict: true };
    const plain = open().id;
    assert.deepEqual([getMore(plain, api).code, getMore(plain).ok], [347, 1]);
    const versioned = open(api).id;
    for (const other of [{}, { apiVersion: '1' }, { ...api, apiDeprecationErrors: false }]) {
      const { code, codeName } = getMore(versioned, other);
      assert.deepEqual([code, codeName], [347, 'APIMismatchError']);
    }
    assert.equal(getMore(versioned, api).ok, 1);
  });

  it('opens with an empty batch for a batch size of 0', () => {
    const { id, firstBatch } = open({ batchSize: 0 });
    assert.deepEqual(firstBatch, []);
    assert.equal(getMore(id).cursor.nextBatch.length, 10);
  });

  it('returns 101 documents first by default', () => {
    cluster.run({ insert: 'c', documents: Array.from({ length: 200 }, (_, i) => ({ _id: 10 + i })) });
    const { id, firstBatch } = cluster.run({ find: 'c' }).cursor;
    assert.equal(firstBatch.length, 101);
    assert.equal(getMore(id).cursor.nextBatch.length, 109);
  });

  it('limits a batch to 16 MiB and returns the document that did not fit next', () => {
    const pad = 'x'.repeat(7 * 1024 * 1024);
    for (const _id of [20, 21, 22]) cluster.run({ insert: 'c', documents: [{ _id, pad }] });
    const { id, firstBatch } = open({ filter: { _id: { $gte: 20 } }, batchSize: 10 });
    assert.deepEqual(ids(firstBatch), [20, 21]);
    const next = getMore(id).cursor;
    assert.deepEqual([ids(next.nextBatch), next.id], [[22], 0n]);
  });

  it('returns changes made after its position between two batches', () => {
    const { id } = open();
    cluster.run({ delete: 'c', deletes: [{ q: { _id: { $gte: 5 } }, limit: 0 }] });
    cluster.run({ update: 'c', updates: [{ q: { _id: 4 }, u: { $set: { v: 9 } } }] });
    cluster.run({ insert: 'c', documents: [{ _id: 99 }] });
    assert.deepEqual(getMore(id).cursor.nextBatch, [
      { _id: 2, v: 0 },
      { _id: 3, v: 0 },
      { _id: 4, v: 9 },
      { _id: 99 },
    ]);
  });

  it('on a sorted result returns the state when it was sorted', () => {
    const { id, firstBatch } = open({ sort: { v: 1, _id: -1 } });
    cluster.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
    assert.deepEqual(
      [...ids(firstBatch), ...ids(getMore(id).cursor.nextBatch)],
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    );
  });

  it('fails when its collection is dropped, even if it is created again', () => {
    const { id } = open();
    cluster.run({ drop: 'c' });
    cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
    assert.equal(getMore(id).code, 175);
    assert.equal(getMore(id).code, 43);
  });

  it('belongs to a collection and to a user', () => {
    const { id } = open();
    assert.equal(getMore(id, { collection: 'C' }).code, 13);
    const other = { ...admin, username: 'bob' };
    assert.equal(cluster.run({ getMore: id, collection: 'c' }, { user: other }).code, 13);
    assert.equal(cluster.run({ killCursors: 'c', cursors: [id] }, { user: other }).code, 13);
    assert.equal(getMore(id).ok, 1);
  });

  it('times out after ten idle minutes, unless disabled', () => {
    const { id } = open();
    const { id: noTimeout } = open({ noCursorTimeout: true });
    cluster.clock.advance(9 * 60_000);
    assert.equal(getMore(id, { batchSize: 1 }).ok, 1);
    cluster.clock.advance(9 * 60_000);
    assert.equal(getMore(id, { batchSize: 1 }).ok, 1);
    cluster.clock.advance(12 * 60_000);
    assert.equal(getMore(id).code, 43);
    assert.equal(getMore(noTimeout).ok, 1);
  });

  it('is closed with its session', () => {
    const [lsid, another] = [{ id: new UUID() }, { id: new UUID() }];
    const { id } = open({ lsid });
    const { id: other } = open({ lsid: another });
    assert.equal(cluster.run({ endSessions: [lsid], $db: 'admin' }).ok, 1);
    assert.equal(getMore(id, { lsid }).code, 43);
    assert.equal(getMore(other, { lsid: another }).ok, 1);
  });

  it('can be read only in its session', () => {
    const [lsid, another] = [{ id: new UUID() }, { id: new UUID() }];
    const { id } = open({ lsid });
    assert.equal(getMore(id).code, 50737);
    assert.equal(getMore(id, { lsid: another }).code, 50738);
    assert.equal(getMore(open().id, { lsid }).code, 50736);
    assert.equal(getMore(id, { lsid }).ok, 1);
  });
});

describe('killCursors', () => {
  it('reports killed and unknown cursors', () => {
    const { id } = open();
    const reply = cluster.run({ killCursors: 'c', cursors: [null, id, Long.fromNumber(1)] });
    assert.deepEqual(reply, {
      cursorsKilled: [id],
      cursorsNotFound: [1n],
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    });
    assert.equal(getMore(id).code, 43);
    const { id: twice } = open();
    const second = cluster.run({ killCursors: 'c', cursors: [twice, twice] });
    assert.deepEqual([second.cursorsKilled, second.cursorsNotFound], [[twice], [twice]]);
  });

  it('rejects ids of another type', () => {
    assert.equal(cluster.run({ killCursors: 'c', cursors: [1] }).code, 14);
    assert.equal(cluster.run({ killCursors: 'c' }).code, 40414);
  });
});

describe('getMore', () => {
  it('rejects a time limit for a cursor without awaitData', () => {
    const { id } = open();
    assert.equal(getMore(id, { maxTimeMS: 1 }).code, 2);
    assert.equal(getMore(id).ok, 1);
  });

  const rejected: Array<[string, Document, number]> = [
    ['an id of another type', { getMore: 1, collection: 'c' }, 14],
    ['no id', { getMore: null, collection: 'c' }, 40414],
    ['no collection', { getMore: Long.fromNumber(1) }, 40414],
    ['a field of find', { getMore: Long.fromNumber(1), collection: 'c', filter: {} }, 40415],
  ];
  for (const [what, command, code] of rejected) {
    it(`rejects ${what}`, () => {
      assert.equal(cluster.run(command).code, code);
    });
  }
});
