import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Document, ObjectId } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ drop: 'c' });
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, v: 1 },
      { _id: 2, v: 1 },
      { _id: 3, v: 2 },
    ],
  });
});

const update = (updates: Document[], more: Document = {}) => cluster.run({ update: 'c', updates, ...more });

describe('update', () => {
  it('changes the first match, or every match with multi', () => {
    assert.deepEqual(update([{ q: { v: 1 }, u: { $set: { w: 1 } } }]), { n: 1, nModified: 1, ok: 1 });
    assert.deepEqual(update([{ q: { v: 1 }, u: { $set: { w: 1 } }, multi: true }]), {
      n: 2,
      nModified: 1,
      ok: 1,
    });
    assert.deepEqual(cluster.documents('c'), [
      { _id: 1, v: 1, w: 1 },
      { _id: 2, v: 1, w: 1 },
      { _id: 3, v: 2 },
    ]);
  });

  it('evaluates a constant of a pipeline only for a document', () => {
    const u = [{ $set: { v: { $add: ['v', 1] } } }];
    assert.deepEqual(update([{ q: { _id: 9 }, u }]), { n: 0, nModified: 0, ok: 1 });
    assert.equal(update([{ q: { _id: 1 }, u }]).writeErrors[0].code, 14);
  });

  it('sums over the statements of the body or of a sequence', () => {
    const updates = [
      { q: { _id: 1 }, u: { $inc: { v: 5 } } },
      { q: { _id: 9 }, u: { $inc: { v: 5 } } },
      { q: { _id: 3 }, u: { v: 7 } },
    ];
    assert.deepEqual(cluster.run({ update: 'c' }, { sequences: { updates } }), { n: 2, nModified: 2, ok: 1 });
    assert.deepEqual(cluster.documents('c'), [
      { _id: 1, v: 6 },
      { _id: 2, v: 1 },
      { _id: 3, v: 7 },
    ]);
  });

  it('inserts the document of an upsert without a match', () => {
    const { n, nModified, upserted } = update([
      { q: { _id: 3 }, u: { $set: { v: 3 } }, upsert: true },
      { q: { _id: 4, a: 1 }, u: { $set: { v: 3 } }, upsert: true },
      { q: { b: 2 }, u: { v: 4 }, upsert: true },
    ]);
    assert.deepEqual({ n, nModified }, { n: 3, nModified: 1 });
    assert.equal(upserted.length, 2);
    assert.deepEqual(upserted[0], { index: 1, _id: 4 });
    assert.ok(upserted[1]._id instanceof ObjectId);
    assert.deepEqual(cluster.documents('c').slice(3), [
      { _id: 4, a: 1, v: 3 },
      { _id: upserted[1]._id, v: 4 },
    ]);
  });

  it('creates a missing collection only for an upsert', () => {
    cluster.run({ update: 'fresh', updates: [{ q: {}, u: { $set: { a: 1 } } }] });
    assert.deepEqual(cluster.run({ listCollections: 1, filter: { name: 'fresh' } }).cursor.firstBatch, []);
    cluster.run({ update: 'fresh', updates: [{ q: { _id: 1 }, u: { $set: { a: 1 } }, upsert: true }] });
    assert.deepEqual(cluster.documents('fresh'), [{ _id: 1, a: 1 }]);
  });

  it('updates the first document in sort order', () => {
    update([{ q: {}, u: { $set: { first: true } }, sort: { v: -1 } }]);
    update([{ q: {}, u: { $set: { last: true } }, sort: { _id: -1 } }]);
    assert.deepEqual(cluster.documents('c')[2], { _id: 3, v: 2, first: true, last: true });
  });

  it('stops at a failing statement if ordered, and reports it', () => {
    const updates = [
      { q: { _id: 1 }, u: { $set: { v: 8 } } },
      { q: { _id: 2 }, u: { $set: { _id: 9 } } },
      { q: { _id: 3 }, u: { $set: { v: 8 } } },
    ];
    const { n, writeErrors } = update(updates);
    assert.equal(n, 1);
    assert.deepEqual([writeErrors.length, writeErrors[0].index, writeErrors[0].code], [1, 1, 66]);
    assert.equal(update(updates, { ordered: false }).n, 2);
  });

  it('keeps the changes that a multi update made before it failed', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 4, v: 'x' }] });
    const { n, writeErrors } = update([{ q: {}, u: { $inc: { v: 1 } }, multi: true }]);
    assert.deepEqual([n, writeErrors[0].code], [0, 14]);
    assert.deepEqual(
      cluster.documents('c').map(({ v }) => v),
      [2, 2, 3, 'x'],
    );
  });

  const rejected: Array<[string, Document, number]> = [
    ['no statements', { updates: [] }, 16],
    ['a statement without q', { updates: [{ u: {} }] }, 40414],
    ['q of another type', { updates: [{ q: 1, u: {} }] }, 14],
    ['u of another type', { updates: [{ q: {}, u: 'x' }] }, 9],
    ['an unknown field of a statement', { updates: [{ q: {}, u: {}, x: 1 }] }, 40415],

    ['a sort with multi', { updates: [{ q: {}, u: { $set: { a: 1 } }, sort: { a: 1 }, multi: true }] }, 9],
    ['a replacement with multi', { updates: [{ q: {}, u: { a: 1 }, multi: true }] }, 9],
    ['an unknown modifier', { updates: [{ q: {}, u: { $frob: { a: 1 } } }] }, 9],
    ['an unknown operator', { updates: [{ q: { a: { $frob: 1 } }, u: { a: 1 } }] }, 2],
    ['a hint at an unknown index', { updates: [{ q: {}, u: { a: 1 }, hint: { a: 1 } }] }, 2],
    ['let of another type', { updates: [{ q: {}, u: {} }], let: [1] }, 14],
  ];
  for (const [what, command, code] of rejected) {
    it(`rejects ${what}`, () => {
      const reply = cluster.run({ update: 'c', ...command });
      assert.equal(reply.code ?? reply.writeErrors?.[0]?.code, code, JSON.stringify(reply));
    });
  }

  it('fails as a whole for an unknown stage, and by statement for a stage not allowed in updates', () => {
    const run = (u: Document[]) => cluster.run({ update: 'c', updates: [{ q: {}, u }] });
    const { ok, code, writeErrors } = run([{ $set: { a: 1 } }, { $frob: 1 }]);
    assert.deepEqual([ok, code, writeErrors], [0, 40324, undefined]);
    assert.equal(run([{ $match: {} }]).writeErrors[0].code, 72);
  });

  it('rejects such a stage in other commands too', () => {
    const update = [{ $frob: 1 }];
    assert.equal(cluster.run({ findAndModify: 'c', query: {}, update }).code, 40324);
    const ops = [{ update: 0, filter: {}, updateMods: update }];
    const reply = cluster.run({ bulkWrite: 1, ops, nsInfo: [{ ns: 'test.c' }], $db: 'admin' });
    assert.equal(reply.cursor.firstBatch[0].code, 40324);
  });

  it('requires the insert privilege for an upsert', () => {
    const user = { username: 'u', database: 'admin', roles: [{ role: 'read', database: 'test' }] };
    const command = { update: 'c', updates: [{ q: {}, u: {}, upsert: true }] };
    assert.equal(cluster.run(command, { user }).code, 13);
  });
});
