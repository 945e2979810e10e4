import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { BSONRegExp, Decimal128, type Document, ObjectId, Timestamp, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ drop: 'c' });
});

const insert = (documents: Document[], more: Document = {}) =>
  cluster.run({ insert: 'c', documents, ...more });

describe('insert', () => {
  it('stores documents of the body and of a document sequence', () => {
    assert.deepEqual(insert([{ _id: 1, a: 'x' }]), { n: 1, ok: 1 });
    assert.deepEqual(cluster.run({ insert: 'c' }, { sequences: { documents: [{ _id: 2 }, { _id: 3 }] } }), {
      n: 2,
      ok: 1,
    });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, a: 'x' }, { _id: 2 }, { _id: 3 }]);
  });

  it('adds a missing _id as first field', () => {
    insert([{ a: 1 }, { a: 2, _id: 7 }]);
    const [made, moved] = cluster.documents('c');
    assert.ok(made?._id instanceof ObjectId);
    assert.deepEqual(Object.keys(made), ['_id', 'a']);
    assert.deepEqual(Object.keys(moved ?? {}), ['_id', 'a']);
  });

  it('generates an _id with the service time in seconds', () => {
    insert([{}]);
    const made: ObjectId = cluster.documents('c')[0]?._id;
    assert.equal(made.getTimestamp().getTime(), cluster.clock.now());
  });

  it('reports the document with an existing _id, and stops there', () => {
    insert([{ _id: 'a' }]);
    const reply = insert([{ _id: 'b' }, { _id: 'a', v: 2 }, { _id: 'c' }]);
    assert.deepEqual(reply, {
      n: 1,
      writeErrors: [
        {
          index: 1,
          code: 11000,
          errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: "a" }',
          keyPattern: { _id: 1 },
          keyValue: { _id: 'a' },
        },
      ],
      ok: 1,
    });
    assert.deepEqual(cluster.documents('c'), [{ _id: 'a' }, { _id: 'b' }]);
  });

  it('ends at the first error of a transaction, even if it is not ordered', () => {
    insert([{ _id: 1 }]);
    const transaction = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    const more = { ...transaction, startTransaction: true, ordered: false };
    const { n, writeErrors } = insert([{ _id: 2 }, { _id: 1 }, { _id: 1 }, { _id: 3 }], more);
    assert.deepEqual([n, writeErrors.map(({ index }: Document) => index)], [1, [1]]);
    const next = cluster.run({ insert: 'c', documents: [{ _id: 4 }], ...transaction });
    assert.equal(next.code, 251);
  });

  it('continues after an existing _id if unordered', () => {
    insert([{ _id: 1 }]);
    const { n, writeErrors } = insert([{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }], { ordered: false });
    assert.equal(n, 2);
    assert.deepEqual(
      writeErrors.map(({ index }: Document) => index),
      [0, 2],
    );
  });

  it('treats equal numbers of different types as the same _id', () => {
    insert([{ _id: 1 }]);
    for (const _id of [1n, Decimal128.fromString('1.0')]) {
      assert.equal(insert([{ _id }]).writeErrors[0].code, 11000);
    }
  });

  const impossible: Array<[string, Document]> = [
    ['an array', { _id: [1] }],
    ['a regular expression', { _id: new BSONRegExp('x') }],
    ['a document with an operator', { _id: { $x: 1 } }],
  ];
  for (const [what, document] of impossible) {
    it(`rejects ${what} as _id and creates no collection`, () => {
      const { n, writeErrors } = insert([document]);
      assert.equal(n, 0);
      assert.equal(writeErrors.length, 1);
      assert.deepEqual(cluster.run({ listCollections: 1, filter: { name: 'c' } }).cursor.firstBatch, []);
    });
  }

  const rejected: Array<[string, Document, number]> = [
    ['no documents', { insert: 'c', documents: [] }, 16],
    ['a missing documents field', { insert: 'c' }, 40414],
    ['documents of another type', { insert: 'c', documents: 'x' }, 14],
    ['a document of another type', { insert: 'c', documents: [1] }, 14],
    ['ordered of another type', { insert: 'c', documents: [{}], ordered: 1 }, 14],
    ['an unknown field', { insert: 'c', documents: [{}], foo: 1 }, 40415],
    ['a name that is no string', { insert: 1, documents: [{}] }, 73],
    ['an empty name', { insert: '', documents: [{}] }, 73],
    ['a name with a dollar', { insert: 'a$b', documents: [{}] }, 73],
    ['a name that is too long', { insert: 'x'.repeat(251), documents: [{}] }, 73],
  ];
  for (const [what, command, code] of rejected) {
    it(`rejects ${what}`, () => {
      const reply = cluster.run(command);
      assert.equal(reply.code ?? reply.writeErrors?.[0]?.code, code, JSON.stringify(reply));
    });
  }

  it('stores documents byte for byte', () => {
    const document = {
      _id: 1,
      d: 1.0,
      l: 5n,
      t: new Timestamp({ t: 3, i: 4 }),
      n: null,
      deep: { a: [{ b: [] }] },
    };
    insert([document]);
    assert.deepEqual(cluster.documents('c'), [document]);
  });

  it('knows the count after a restart', () => {
    insert([{ _id: 1 }, { _id: 2 }]);
    cluster.reopen();
    assert.equal(cluster.run({ count: 'c' }).n, 2);
  });
});

describe('document preparation', () => {
  it('sets empty top-level timestamps to the cluster time', () => {
    const none = new Timestamp({ t: 0, i: 0 });
    cluster.run({ insert: 'times', documents: [{ _id: none, a: none, b: { c: none } }] });
    const [{ _id, a, b } = {}] = cluster.documents('times');
    assert.deepEqual([_id, b.c], [none, none]);
    assert.equal(a.t, Math.floor(cluster.clock.now() / 1000));
  });

  it('leaves empty timestamps unchanged on request, as restore tools need', () => {
    const none = new Timestamp({ t: 0, i: 0 });
    const bypassEmptyTsReplacement = true;
    const made = { insert: 'kept', documents: [{ _id: 1, a: none }], bypassEmptyTsReplacement };
    assert.equal(cluster.run(made).n, 1);
    const updates = [{ q: { _id: 2 }, u: { a: none }, upsert: true }];
    assert.equal(cluster.run({ update: 'kept', updates, bypassEmptyTsReplacement }).n, 1);
    const modified = { findAndModify: 'kept', query: { _id: 1 }, update: { b: none } };
    assert.equal(cluster.run({ ...modified, bypassEmptyTsReplacement }).ok, 1);
    const ops = [{ insert: 0, document: { _id: 3, a: none } }];
    const nsInfo = [{ ns: 'test.kept' }];
    const bulk = cluster.run({ bulkWrite: 1, ops, nsInfo, bypassEmptyTsReplacement, $db: 'admin' });
    assert.equal(bulk.nInserted, 1);
    assert.deepEqual(cluster.documents('kept'), [
      { _id: 1, b: none },
      { _id: 2, a: none },
      { _id: 3, a: none },
    ]);
    const deletes = [{ q: {}, limit: 1 }];
    assert.equal(cluster.run({ delete: 'kept', deletes, bypassEmptyTsReplacement }).code, 40415);
    assert.equal(cluster.run({ ...made, bypassEmptyTsReplacement: 1 }).code, 14);
  });

  it('rejects documents nested too deeply', () => {
    const nested = (levels: number) => {
      let document: Document = {};
      for (let i = 1; i < levels; i++) document = { a: document };
      return document;
    };
    assert.equal(cluster.run({ insert: 'deep', documents: [nested(180)] }).n, 1);
    assert.equal(cluster.run({ insert: 'deep', documents: [nested(181)] }).writeErrors[0].code, 15);
  });
});
