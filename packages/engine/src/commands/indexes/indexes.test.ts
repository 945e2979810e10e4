import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Document, Long } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'c' });
});
after(() => cluster.remove());

describe('indexes', () => {
  it('listIndexes returns the _id index', () => {
    assert.deepEqual(cluster.run({ listIndexes: 'c' }).cursor, {
      firstBatch: [{ v: 2, key: { _id: 1 }, name: '_id_' }],
      id: 0n,
      ns: 'test.c',
    });
    assert.equal(cluster.run({ listIndexes: 'none' }).code, 26);
  });

  const create = (...indexes: Document[]) => cluster.run({ createIndexes: 'c', indexes });

  it('createIndexes accepts the existing _id index', () => {
    assert.deepEqual(create({ key: { _id: 1 }, name: '_id_' }), {
      numIndexesBefore: 1,
      numIndexesAfter: 1,
      createdCollectionAutomatically: false,
      note: 'all indexes already exist',
      ok: 1,
    });
  });

  it('createIndexes returns its commit quorum, which must be possible', () => {
    const build = (commitQuorum: unknown) =>
      cluster.run({ createIndexes: 'q', indexes: [{ key: { q: 1 }, name: 'q' }], commitQuorum });
    assert.deepEqual(
      [4, 51, -1].map((quorum) => build(quorum).code),
      [278, 9, 9],
    );
    assert.equal(build('majority').commitQuorum, 'majority');
  });

  it('createIndexes creates a missing collection', () => {
    const reply = cluster.run({ createIndexes: 'made', indexes: [{ key: { _id: 1 }, name: '_id_' }] });
    assert.equal(reply.createdCollectionAutomatically, true);
    assert.equal(cluster.run({ listIndexes: 'made' }).ok, 1);
  });

  const refused: Array<[string, Document[], number]> = [
    ['nothing', [], 2],
    ['an index without a key', [{ name: 'a_1' }], 9],
    ['an index without a name', [{ key: { a: 1 } }], 9],
    ['an empty key', [{ key: {}, name: 'x' }], 67],
    ['a direction of 0', [{ key: { a: 0 }, name: 'x' }], 67],
    ['an unknown kind', [{ key: { a: 'foo' }, name: 'x' }], 67],
    ['an unknown option', [{ key: { a: 1 }, name: 'x', foo: 1 }], 197],
    ['two hashed parts', [{ key: { a: 'hashed', b: 'hashed' }, name: 'x' }], 31303],
    ['a unique hashed index', [{ key: { a: 'hashed' }, name: 'x', unique: true }], 16764],
    [
      'sparse and partial',
      [{ key: { a: 1 }, name: 'x', sparse: true, partialFilterExpression: { a: 1 } }],
      67,
    ],
    [
      'a partial filter by $ne',
      [{ key: { a: 1 }, name: 'x', partialFilterExpression: { a: { $ne: 1 } } }],
      67,
    ],
    ['a compound TTL index', [{ key: { a: 1, b: 1 }, name: 'x', expireAfterSeconds: 1 }], 67],
    [
      'a wildcardProjection without a wildcard',
      [{ key: { a: 1 }, name: 'x', wildcardProjection: { a: 1 } }],
      2,
    ],
    ['a unique _id index', [{ key: { _id: 1 }, name: '_id_', unique: true }], 197],
    ['a background _id index', [{ key: { _id: 1 }, name: '_id_', background: false }], 197],
    ['a descending _id index', [{ key: { _id: -1 }, name: '_id_-1' }], 2],
    ['the name of the _id index for another key', [{ key: { a: 1 }, name: '_id_' }], 2],
    ['weights without a text index', [{ key: { a: 1 }, name: 'x', weights: { a: 1 } }], 67],
    ['a sparse wildcard', [{ key: { '$**': 1 }, name: 'x', sparse: true }], 67],
    ['wildcard as a value', [{ key: { a: 'wildcard' }, name: 'x' }], 7246202],
    ['hidden as a number', [{ key: { a: 1 }, name: 'x', hidden: 1 }], 14],
    ['a text version that is no number', [{ key: { a: 'text' }, name: 'x', textIndexVersion: '3' }], 14],
    ['an unknown text version', [{ key: { a: 'text' }, name: 'x', textIndexVersion: 4 }], 67],
    ['a language field that is no string', [{ key: { a: 'text' }, name: 'x', language_override: 1 }], 14],
    ['an array of weights', [{ key: { a: 'text' }, name: 'x', weights: [1] }], 67],
    ['a number of weights', [{ key: { a: 'text' }, name: 'x', weights: 1 }], 14],
    ['a weight of 100,000', [{ key: { a: 'text' }, name: 'x', weights: { a: 100_000 } }], 67],
    ['a weight without a whole part', [{ key: { a: 'text' }, name: 'x', weights: { a: 0.9 } }], 67],
    ['a weight that is NaN', [{ key: { a: 'text' }, name: 'x', weights: { a: Number.NaN } }], 67],
    ['a text index of all fields below a path', [{ key: { 'a.$**': 'text' }, name: 'x' }], 67],
    ['the name _fts', [{ key: { _fts: 1 }, name: 'x' }], 67],
    ['the name _fts without _ftsx', [{ key: { _fts: 'text', a: 1 }, name: 'x' }], 67],
    ['the name _ftsx in a text index', [{ key: { a: 'text', _ftsx: 1 }, name: 'x' }], 67],
    ['another direction in a text index', [{ key: { b: 2, a: 'text' }, name: 'x' }], 67],
    ['a path as language_override', [{ key: { a: 'text' }, name: 'x', language_override: 'a.b' }], 67],
    ['a weight without a path', [{ key: { a: 'text' }, name: 'x', weights: { '': 1 } }], 67],
    ['a weight with an empty part', [{ key: { a: 'text' }, name: 'x', weights: { 'b..c': 1 } }], 67],
    ['a weight with a dollar', [{ key: { a: 'text' }, name: 'x', weights: { 'b.$c': 1 } }], 67],
    ['a language code of version 1', [{ key: { a: 'text' }, name: 'x', default_language: 'eng' }], 67],
    ['hiding the _id index', [{ key: { _id: 1 }, name: '_id_', hidden: true }], 197],
  ];
  for (const [what, indexes, code] of refused) {
    it(`createIndexes rejects ${what}`, () => assert.equal(create(...indexes).code, code));
  }

  it('createIndexes stores weights as whole numbers of up to 99,999', () => {
    const weights = { a: 99_999.9, b: Long.fromNumber(5) };
    cluster.run({ createIndexes: 'weighted', indexes: [{ key: { a: 'text' }, name: 'x', weights }] });
    const [, text] = cluster.run({ listIndexes: 'weighted' }).cursor.firstBatch;
    assert.deepEqual(text.weights, { a: 99_999, b: 5 });
  });

  it('createIndexes knows more language codes in version 1 of text indexes', () => {
    const index = { key: { a: 'text' }, name: 'x', default_language: 'eng', textIndexVersion: 1 };
    assert.equal(cluster.run({ createIndexes: 'codes', indexes: [index] }).ok, 1);
  });

  it('createIndexes creates missing indexes, and reports conflicts', () => {
    const c = 'kinds';
    const make = (...indexes: Document[]) => cluster.run({ createIndexes: c, indexes });
    const made = make({ key: { a: 1 }, name: 'a' }, { key: { t: 'text' }, name: 't' });
    assert.deepEqual([made.numIndexesBefore, made.numIndexesAfter], [1, 3]);
    assert.equal(make({ key: { a: 1 }, name: 'a' }).note, 'all indexes already exist');
    assert.equal(make({ key: { a: 1 }, name: 'other' }).code, 85);
    assert.equal(make({ key: { a: 1 }, name: 'a', hidden: true }).code, 85);
    assert.equal(make({ key: { b: 1 }, name: 'a' }).code, 86);
    assert.equal(make({ key: { u: 'text' }, name: 'u' }).code, 85);
    assert.equal(make({ key: { u: 'text', b: 1 }, name: 'u' }).code, 67);
    const [, , text] = cluster.run({ listIndexes: c }).cursor.firstBatch;
    assert.deepEqual(text, {
      v: 2,
      key: { _fts: 'text', _ftsx: 1 },
      name: 't',
      weights: { t: 1 },
      default_language: 'english',
      language_override: 'language',
      textIndexVersion: 3,
    });
    assert.equal(make(text).note, 'all indexes already exist');
    cluster.run({ dropIndexes: c, index: 't' });
    assert.equal(make(text).ok, 1);
    assert.equal(make({ key: { t: 'text' }, name: 't' }).note, 'all indexes already exist');
  });

  it('report the conflicting index by name', () => {
    cluster.run({ insert: 'twice', documents: [{ a: 1 }, { a: 1 }] });
    const indexes = [{ key: { a: 1 }, name: 'a', unique: true }];
    const { code, codeName } = cluster.run({ createIndexes: 'twice', indexes });
    assert.deepEqual([code, codeName], [11000, 'DuplicateKey']);
  });

  it('exist after a restart, with their keys', () => {
    cluster.run({ createIndexes: 'kept', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] });
    cluster.run({ insert: 'kept', documents: [{ _id: 1, a: 1 }] });
    cluster.reopen();
    assert.equal(cluster.run({ insert: 'kept', documents: [{ _id: 2, a: 1 }] }).writeErrors[0].code, 11000);
  });

  it('dropIndexes accepts a name, a key, several names or all', () => {
    const names = ['a', 'b', 'c', 'd'];
    const indexes = names.map((name) => ({ key: { [name]: 1 }, name }));
    cluster.run({ createIndexes: 'dropped', indexes });
    const drop = (index: unknown) => cluster.run({ dropIndexes: 'dropped', index });
    assert.equal(drop('a').nIndexesWas, 5);
    assert.equal(drop({ b: 1 }).nIndexesWas, 4);
    assert.equal(drop(['c', 'x']).code, 27);
    assert.equal(drop(['c', 'd']).nIndexesWas, 3);
    assert.equal(drop('*').nIndexesWas, 1);
  });

  it('dropIndexes keeps the _id index', () => {
    assert.equal(cluster.run({ dropIndexes: 'c', index: '*' }).nIndexesWas, 1);
    assert.equal(cluster.run({ dropIndexes: 'c', index: '_id_' }).code, 72);
    assert.equal(cluster.run({ dropIndexes: 'c', index: { _id: 1 } }).code, 72);
    assert.equal(cluster.run({ dropIndexes: 'c', index: ['a_1'] }).code, 27);
    assert.equal(cluster.run({ dropIndexes: 'c', index: 1 }).code, 14);
    assert.equal(cluster.run({ dropIndexes: 'none', index: '*' }).code, 26);
  });
});

describe('a unique index', () => {
  const insert = (c: string, ...documents: Document[]) =>
    cluster.run({ insert: c, documents, ordered: false }).writeErrors?.map(({ code }: Document) => code);

  it('rejects a second document with a key, and reports it', () => {
    cluster.run({ createIndexes: 'u', indexes: [{ key: { a: 1, b: 1 }, name: 'ab', unique: true }] });
    assert.equal(insert('u', { _id: 1, a: 1, b: 'x' }, { _id: 2, a: 1, b: 'y' }), undefined);
    const [error] = cluster.run({ insert: 'u', documents: [{ _id: 3, a: 1n, b: 'x' }] }).writeErrors;
    assert.equal(
      error.errmsg,
      'E11000 duplicate key error collection: test.u index: ab dup key: { a: 1, b: "x" }',
    );
    assert.deepEqual(
      [error.keyPattern, error.keyValue],
      [
        { a: 1, b: 1 },
        { a: 1n, b: 'x' },
      ],
    );
    const update = { q: { _id: 2 }, u: { $set: { b: 'x' } } };
    assert.equal(cluster.run({ update: 'u', updates: [update] }).writeErrors[0].code, 11000);
    assert.deepEqual(
      cluster.documents('u').map(({ b }) => b),
      ['x', 'y'],
    );
  });

  it('compares documents by each element of an array, but not elements of one document', () => {
    cluster.run({ createIndexes: 'ua', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] });
    assert.equal(insert('ua', { _id: 1, a: [1, 1, 2] }, { _id: 2, a: [3] }), undefined);
    assert.deepEqual(insert('ua', { _id: 3, a: [4, 2] }), [11000]);
  });

  it('ignores documents outside a sparse or partial index', () => {
    const partialFilterExpression = { b: { $gt: 0 } };
    cluster.run({
      createIndexes: 'us',
      indexes: [
        { key: { a: 1 }, name: 'a', unique: true, sparse: true },
        { key: { b: 1 }, name: 'b', unique: true, partialFilterExpression },
      ],
    });
    assert.equal(insert('us', { _id: 1, b: 0 }, { _id: 2, b: 0 }), undefined);
    assert.deepEqual(
      insert('us', { _id: 3, a: null, b: 1 }, { _id: 4, a: null }, { _id: 5, b: 1 }),
      [11000, 11000],
    );
  });

  it('exists already if its filter has the same conditions in another order', () => {
    const make = (name: string, partialFilterExpression: Document) =>
      cluster.run({ createIndexes: 'up', indexes: [{ key: { a: 1 }, name, partialFilterExpression }] });
    assert.equal(make('a', { b: 1, c: { $gt: 2 } }).numIndexesAfter, 2);
    const again = make('a', { $and: [{ c: { $gt: 2 } }, { b: { $eq: 1 } }] });
    assert.deepEqual([again.numIndexesBefore, again.numIndexesAfter], [2, 2]);
    assert.equal(make('other', { c: { $gt: 2 }, b: 1 }).code, 85);
    assert.equal(make('a', { b: 1, c: { $gt: 3 } }).code, 86);
  });

  it('has a filter of at most four levels', () => {
    const make = (partialFilterExpression: Document) =>
      cluster.run({
        createIndexes: 'deep',
        indexes: [{ key: { a: 1 }, name: JSON.stringify(partialFilterExpression), partialFilterExpression }],
      });
    const within = (depth: number, filter: Document): Document =>
      depth === 0 ? filter : { $and: [within(depth - 1, filter)] };
    assert.equal(make(within(3, { b: 3 })).ok, 1);
    assert.equal(make(within(4, { b: 3 })).code, 67);
    assert.equal(make(within(2, { b: { $gt: 1, $lt: 3 } })).ok, 1);
    assert.equal(make(within(3, { b: { $gt: 1, $lt: 3 } })).code, 67);
    assert.equal(make(within(3, { b: 1, c: 1 })).code, 67);
  });

  it('cannot be built on duplicates', () => {
    insert('un', { _id: 1, a: 1 }, { _id: 2, a: 1 });
    const make = { createIndexes: 'un', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] };
    assert.equal(cluster.run(make).code, 11000);
    assert.equal(cluster.run({ listIndexes: 'un' }).cursor.firstBatch.length, 1);
  });

  it('is converted by collMod if there are no duplicates', () => {
    cluster.run({ createIndexes: 'um', indexes: [{ key: { a: 1 }, name: 'a' }] });
    insert('um', { _id: 1, a: 1 }, { _id: 2, a: 1 });
    const modify = (index: Document) => cluster.run({ collMod: 'um', index: { name: 'a', ...index } });
    assert.equal(modify({ unique: true }).code, 72);
    assert.equal(modify({ prepareUnique: true }).prepareUnique_new, true);
    assert.deepEqual(modify({ unique: true }).violations, [{ ids: [1, 2] }]);
    assert.deepEqual(insert('um', { _id: 3, a: 1 }), [11000]);
    cluster.run({ delete: 'um', deletes: [{ q: { _id: 2 }, limit: 1 }] });
    assert.equal(modify({ unique: true }).unique_new, true);
  });
});

describe('listIndexes', () => {
  it('accepts background, and returns build information on request', () => {
    const index = { key: { a: 1 }, name: 'a', background: true };
    cluster.run({ createIndexes: 'shown', indexes: [index] });
    const listed = (options: Document = {}) =>
      cluster.run({ listIndexes: 'shown', ...options }).cursor.firstBatch;
    assert.deepEqual(listed()[1], { v: 2, ...index });
    cluster.run({ createIndexes: 'shown', indexes: [{ key: { b: 1 }, name: 'b', background: false }] });
    assert.equal(listed()[2].background, false);
    assert.deepEqual(listed({ includeIndexBuildInfo: true })[1], { spec: { v: 2, ...index } });
  });

  it('excludes the clustered index from the count of dropIndexes', () => {
    cluster.run({ create: 'cl', clusteredIndex: { key: { _id: 1 }, unique: true } });
    cluster.run({ createIndexes: 'cl', indexes: [{ key: { a: 1 }, name: 'a' }] });
    assert.equal(cluster.run({ dropIndexes: 'cl', index: 'a' }).nIndexesWas, 1);
  });
});

describe('the option clustered', () => {
  const codes = (createIndexes: string, ...indexes: Document[]) =>
    indexes.map((index) => cluster.run({ createIndexes, indexes: [index] }).code ?? 0);
  const onId = { key: { _id: 1 }, name: '_id_', clustered: true, unique: true };
  const onOther = { key: { a: 1 }, name: 'a', clustered: true, unique: true };

  it('is accepted only if the index is the clustered index of the collection', () => {
    cluster.run({ create: 'plain' });
    cluster.run({ create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true, name: 'own' } });
    assert.deepEqual(codes('plain', onId, onOther, { ...onId, clustered: 2 }), [6243700, 6243700, 6243700]);
    assert.deepEqual(codes('clustered', onId, onOther), [0, 6243700]);
    assert.deepEqual(codes('missing', onId, onOther), [6100900, 6100900]);
    assert.equal(cluster.run({ listIndexes: 'missing' }).code, 26);
  });

  it('must be true, and requires unique', () => {
    for (const index of [onId, onOther]) {
      const { unique, ...others } = index;
      const changed = [
        { ...index, clustered: false },
        others,
        { ...index, unique: false },
        { ...index, sparse: true },
      ];
      assert.deepEqual(codes('clustered', ...changed), [6492800, 67, 67, 197]);
    }
  });

  it('reserves the name of the clustered index', () => {
    assert.deepEqual(
      codes('clustered', { key: { a: 1 }, name: 'own' }, { key: { _id: 1 }, name: 'x' }),
      [6100906, 0],
    );
  });
});

describe('collMod', () => {
  it('hides an index from queries, and shows it again', () => {
    cluster.run({ createIndexes: 'h', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const stage = () =>
      cluster.run({ explain: { find: 'h', filter: { a: 1 } } }).queryPlanner.winningPlan.stage;
    assert.equal(stage(), 'FETCH');
    const hidden = cluster.run({ collMod: 'h', index: { keyPattern: { a: 1 }, hidden: true } });
    assert.deepEqual([hidden.hidden_old, hidden.hidden_new], [false, true]);
    assert.equal(stage(), 'COLLSCAN');
    assert.equal(cluster.run({ find: 'h', hint: 'a' }).code, 2);
    cluster.run({ collMod: 'h', index: { name: 'a', hidden: false } });
    assert.equal(stage(), 'FETCH');
  });

  it('makes a unique index ordinary, and logs the change by the name of the index', () => {
    cluster.run({ createIndexes: 'freed', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] });
    const changed = cluster.run({ collMod: 'freed', index: { keyPattern: { a: 1 }, forceNonUnique: true } });
    assert.deepEqual([changed.ok, changed.forceNonUnique_new], [1, true]);
    assert.equal(cluster.run({ insert: 'freed', documents: [{ a: 1 }, { a: 1 }] }).n, 2);
    cluster.run({ collMod: 'freed', index: { keyPattern: { a: 1 }, expireAfterSeconds: 1000 } });
    const logged = cluster.run({ find: 'oplog.rs', filter: { 'o.collMod': 'freed' }, $db: 'local' });
    assert.deepEqual(
      logged.cursor.firstBatch.map(({ o }: Document) => o.index),
      [
        { name: 'a', forceNonUnique: true },
        { name: 'a', expireAfterSeconds: 1000n },
      ],
    );
  });

  it('rejects an unknown index and the _id index', () => {
    const modify = (index: Document) => cluster.run({ collMod: 'h', index }).code;
    assert.equal(modify({ name: 'x', hidden: true }), 27);
    assert.equal(modify({ name: '_id_', hidden: true }), 2);
    assert.equal(modify({ name: 'a' }), 72);
  });
});

describe('a TTL index', () => {
  const ages = (...seconds: number[]) =>
    seconds.map((age, _id) => ({ _id, at: new Date(cluster.clock.now() - age * 1000) }));

  it('deletes expired documents once a minute, and logs it', () => {
    cluster.run({ createIndexes: 'old', indexes: [{ key: { at: 1 }, name: 'at', expireAfterSeconds: 100 }] });
    cluster.run({ insert: 'old', documents: [...ages(10, 90, 150), { _id: 'x', at: 'never' }] });
    cluster.clock.advance(60_000);
    assert.deepEqual(
      cluster.documents('old').map(({ _id }) => _id),
      [0, 'x'],
    );
    const entries = cluster.run({ find: 'oplog.rs', filter: { op: 'd', ns: 'test.old' }, $db: 'local' });
    assert.deepEqual(entries.cursor.firstBatch.map(({ o }: Document) => o._id).sort(), [1, 2]);
    cluster.clock.advance(60_000);
    assert.deepEqual(
      cluster.documents('old').map(({ _id }) => _id),
      ['x'],
    );
  });
});
