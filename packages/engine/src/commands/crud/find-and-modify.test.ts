import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((_id) => ({ _id, v: 10 - _id, list: [1, 2, 3] })) });
});
afterEach(() => cluster.remove());

const modify = (command: Document, name = 'findAndModify') => cluster.run({ [name]: 'c', ...command });

describe('findAndModify', () => {
  it('returns the document before the change, or after it with new', () => {
    const before = modify({ query: { _id: 1 }, update: { $set: { v: 'x' } } });
    assert.deepEqual(before, {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: { _id: 1, v: 9, list: [1, 2, 3] },
      ok: 1,
    });
    assert.equal(modify({ query: { _id: 1 }, update: { $set: { v: 'y' } }, new: true }).value.v, 'y');
  });

  it('accepts its lowercase alias', () => {
    const { value } = modify({ query: { _id: 2 }, update: { $inc: { v: 1 } } }, 'findandmodify');
    assert.equal(value._id, 2);
  });

  it('modifies the first document in sort order', () => {
    assert.equal(modify({ sort: { v: 1 }, remove: true }).value._id, 3);
    assert.equal(modify({ sort: { v: 1 }, remove: true }).value._id, 2);
    assert.deepEqual(
      cluster.documents('c').map(({ _id }) => _id),
      [1],
    );
  });

  it('projects the result', () => {
    const { value } = modify({ query: { _id: 1 }, update: { v: 5 }, fields: { v: 1, _id: 0 } });
    assert.deepEqual(value, { v: 9 });
  });

  it('returns null without a match', () => {
    assert.deepEqual(modify({ query: { _id: 7 }, update: { v: 1 } }), {
      lastErrorObject: { n: 0, updatedExisting: false },
      value: null,
      ok: 1,
    });
    assert.deepEqual(modify({ query: { _id: 7 }, remove: true }), {
      lastErrorObject: { n: 0 },
      value: null,
      ok: 1,
    });
  });

  it('upserts, also into a missing collection', () => {
    const upsert = { query: { _id: 7 }, update: { $inc: { n: 1 } }, upsert: true, new: true };
    for (const findAndModify of ['c', 'other']) {
      assert.deepEqual(cluster.run({ findAndModify, ...upsert }), {
        lastErrorObject: { n: 1, updatedExisting: false, upserted: 7 },
        value: { _id: 7, n: 1 },
        ok: 1,
      });
    }
    assert.equal(modify({ query: { _id: 8 }, update: {}, upsert: true }).value, null);
  });

  it('updates by a pipeline that sees the variables of let', () => {
    const { value } = modify({
      query: { $expr: { $eq: ['$_id', '$$id'] } },
      update: [{ $set: { v: { $add: ['$v', '$$more'] } } }],
      let: { id: 2, more: 5 },
      new: true,
    });
    assert.deepEqual([value._id, value.v], [2, 13]);
  });

  it('updates elements selected by array filters and the positional operator', () => {
    const filtered = { update: { $set: { 'list.$[x]': 0 } }, arrayFilters: [{ x: { $gt: 1 } }], new: true };
    assert.deepEqual(modify({ query: { _id: 1 }, ...filtered }).value.list, [1, 0, 0]);
    const positional = { query: { _id: 2, list: 2 }, update: { $set: { 'list.$': 'b' } }, new: true };
    assert.deepEqual(modify(positional).value.list, [1, 'b', 3]);
  });

  const rejected: Array<[string, Document, number]> = [
    ['neither an update nor remove', {}, 9],
    ['an update and remove', { update: {}, remove: true }, 9],
    ['upsert and remove', { upsert: true, remove: true }, 9],
    ['new and remove', { new: true, remove: true }, 9],
    ['an update that is a number', { update: 1 }, 9],
    ['a hint that is a number', { update: {}, hint: 1 }, 9],
    ['a hint at an unknown index', { update: {}, hint: 'a_1' }, 2],
    ['a query that is a number', { query: 1, update: {} }, 14],
    ['an unknown field', { update: {}, foo: 1 }, 40415],
    ['another _id', { query: { _id: 1 }, update: { $set: { _id: 2 } } }, 66],
    ['an upsert of an existing _id', { query: { v: 0 }, update: { _id: 1 }, upsert: true }, 11000],
  ];
  for (const [what, command, code] of rejected) {
    it(`rejects ${what}`, () => assert.equal(modify(command).code, code));
  }

  it('requires find and update, insert for an upsert, and remove', () => {
    const user = { ...admin, roles: [{ role: 'read', database: 'test' }] };
    for (const command of [{ update: {} }, { update: {}, upsert: true }, { remove: true }]) {
      assert.equal(cluster.run({ findAndModify: 'c', query: { _id: 1 }, ...command }, { user }).code, 13);
    }
  });
});
