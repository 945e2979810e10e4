import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { admin, CLUSTER_ID, sectionsOf, TestCluster } from '../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  const documents = Array.from({ length: 60 }, (_, _id) => ({
    _id,
    a: _id % 10,
    b: _id % 7,
    t: [_id % 3, _id % 5],
  }));
  cluster.run({ insert: 'c', documents });
  const indexes = [
    { key: { a: 1, b: -1 }, name: 'ab' },
    { key: { t: 1 }, name: 't' },
    { key: { b: 1 }, name: 'few', partialFilterExpression: { b: { $gt: 3 } } },
  ];
  cluster.run({ createIndexes: 'c', indexes });
  cluster.run({ insert: 'w', documents: [{ p: { cost: 20 } }, { p: { cost: 15, more: {} } }] });
  cluster.run({ createIndexes: 'w', indexes: [{ key: { 'p.$**': 1 }, name: 'w' }] });
  cluster.run({
    insert: 'cw',
    documents: [{ k: 1, a: { x: 1 } }, { k: 1, a: { x: [2, 1] } }, { k: 1 }, { a: { x: 1 } }],
  });
  cluster.run({ createIndexes: 'cw', indexes: [{ key: { k: 1, 'a.$**': -1 }, name: 'cw' }] });
  cluster.run({ createIndexes: 'sp', indexes: [{ key: { a: 1 }, name: 'a', sparse: true }] });
  cluster.run({ insert: 'sp', documents: [{ a: 7 }] });
  cluster.run({ insert: 'f', documents: [{ k: 5 }, { k: 'x' }] });
  const french = { key: { k: 1 }, name: 'k', collation: { locale: 'fr' } };
  cluster.run({ createIndexes: 'f', indexes: [french] });
  cluster.run({ insert: 'u', documents: Array.from({ length: 500 }, (_, n) => ({ n })) });
  cluster.run({ createIndexes: 'u', indexes: [{ key: { n: 1 }, name: 'n' }] });
  cluster.run({ insert: 'e', documents: [{ s: 'x', m: 5, p: 3, q: 1 }] });
  const ofNumbers = { partialFilterExpression: { p: { $gte: 0, $lte: 9 } } };
  const unique = [
    { key: { s: 1 }, name: 's', unique: true },
    { key: { m: -1, q: 1 }, name: 'mq', unique: true },
    { key: { p: 1 }, name: 'p', unique: true, ...ofNumbers },
    { key: { y: 1 }, name: 'y', unique: true, partialFilterExpression: { y: { $type: 'bool' } } },
    { key: { h: 'hashed' }, name: 'h' },
    { key: { 'w.$**': 1 }, name: 'w' },
  ];
  cluster.run({ createIndexes: 'e', indexes: unique });
  cluster.run({ create: 'k', clusteredIndex: { key: { _id: 1 }, unique: true } });
  cluster.run({ insert: 'k', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] });
});
after(() => cluster.remove());

/** Runs a command and returns its encoded reply, because decoding changes the order of some fields. */
function bytesOf(command: Document): Uint8Array {
  let reply = new Uint8Array();
  const caller = { connectionId: 1, remote: '127.0.0.1:50000', member: 'm0', user: admin };
  cluster.worker.submit(
    { requestId: 1, clusterId: CLUSTER_ID, caller, sections: sectionsOf(command), moreToCome: false },
    (document) => {
      reply = new Uint8Array(document);
    },
  );
  cluster.worker.runTurn();
  return reply;
}

/** Returns the stages of the plan from the outermost to the innermost, the statistics, and the bounds of the index. */
function explain(command: Document) {
  const { executionStats } = cluster.run({ explain: command });
  const stages: string[] = [];
  let bounds: Document | undefined;
  let key: Document | undefined;
  for (let stage = executionStats.executionStages; stage; stage = stage.inputStage) {
    stages.push(stage.stage);
    bounds = stage.indexBounds ?? bounds;
    key = stage.keyPattern ?? key;
  }
  const { totalKeysExamined: keys, totalDocsExamined: documents } = executionStats;
  return { stages, keys, documents, bounds, key };
}

describe('a plan', () => {
  it('reads no keys outside the index bounds', () => {
    const found = explain({ find: 'c', filter: { a: 3, b: { $gte: 2 } } });
    assert.deepEqual(found.stages, ['FETCH', 'IXSCAN']);
    assert.deepEqual(found.bounds, { a: ['[3, 3]'], b: ['[inf.0, 2]'] });
    const expected = cluster.documents('c').filter(({ a, b }) => a === 3 && b >= 2).length;
    assert.deepEqual([found.keys, found.documents], [expected, expected]);
  });

  it('shows the fields of an index in their order, even if their names are numbers', () => {
    const create = (collection: string, ...key: Array<[string, number]>) =>
      cluster.run({ createIndexes: collection, indexes: [{ key: new Map(key), name: 'n' }] });
    create('n', ['b', 1], ['1', 1], ['0', -1]);
    create('nw', ['b', 1], ['a.$**', 1], ['1', 1]);
    cluster.run({ insert: 'n', documents: [{ b: 1, 0: 2, 1: 3 }] });
    cluster.run({ insert: 'nw', documents: [{ b: 1, a: { x: 2 }, 1: 3 }] });
    const orders = (command: Document) => {
      const explained = new RawDocument(bytesOf({ explain: command, verbosity: 'queryPlanner' }));
      let stage = explained.document('queryPlanner')?.document('winningPlan');
      while (stage?.document('inputStage')) stage = stage.document('inputStage');
      const fields = ['keyPattern', 'multiKeyPaths', 'indexBounds'];
      return fields.map((field) => [...(stage?.document(field) ?? [])].map(({ name }) => name).join());
    };
    assert.deepEqual(orders({ find: 'n', filter: { b: 1 } }), Array(3).fill('b,1,0'));
    const filter = { b: 1, 'a.x': 2 };
    assert.deepEqual(orders({ find: 'nw', filter }), Array(3).fill('b,$_path,a.x,1'));
  });

  it('shows the bounds of a compound wildcard index', () => {
    const found = explain({ find: 'cw', filter: { k: 1, 'a.x': { $gte: 1 } } });
    assert.deepEqual(found.bounds, { k: ['[1, 1]'], $_path: ['["a.x", "a.x"]'], 'a.x': ['[inf.0, 1]'] });
    assert.deepEqual(found.key, { k: 1, $_path: 1, 'a.x': -1 });
    assert.deepEqual([found.keys, found.documents], [3, 2]);
  });

  it('finds documents without the wildcard by the field before it', () => {
    const filter = { k: 1 };
    const found = explain({ find: 'cw', filter });
    assert.deepEqual(found.bounds, { k: ['[1, 1]'], $_path: ['[MaxKey, MinKey]'] });
    assert.deepEqual([found.keys, found.documents], [4, 3]);
    const { queryPlanner } = cluster.run({ explain: { find: 'cw', filter } });
    assert.match(JSON.stringify(queryPlanner.winningPlan), /IXSCAN/);
    for (const hint of [undefined, 'cw'])
      assert.equal(cluster.run({ find: 'cw', filter, ...(hint && { hint }) }).cursor.firstBatch.length, 3);
    const rejected = cluster.run({ explain: { find: 'cw', filter: { k: 1, 'a.x': 1 } } });
    assert.equal(rejected.queryPlanner.rejectedPlans.length, 1);
  });

  it('shows which fields of a wildcard index contain arrays', () => {
    const documents = [
      { a: 5, tags: [1, 2], b: { c: [{ d: 1 }] } },
      { a: 7, b: { e: [] } },
    ];
    cluster.run({ insert: 'arrays', documents });
    const indexes = [{ key: { '$**': 1 }, name: 'w' }];
    cluster.run({ createIndexes: 'arrays', indexes });
    cluster.run({ insert: 'arrays', documents: [{ later: [{ x: [1] }] }] });
    const pathsOf = (filter: Document) => {
      const { queryPlanner } = cluster.run({ explain: { find: 'arrays', filter } });
      const { isMultiKey, multiKeyPaths } = queryPlanner.winningPlan.inputStage;
      return [isMultiKey, multiKeyPaths];
    };
    assert.deepEqual(pathsOf({ a: 5 }), [false, { $_path: [], a: [] }]);
    assert.deepEqual(pathsOf({ tags: 1 }), [true, { $_path: [], tags: ['tags'] }]);
    assert.deepEqual(pathsOf({ 'b.c.d': 1 }), [true, { $_path: [], 'b.c.d': ['b.c'] }]);
    assert.deepEqual(pathsOf({ 'b.f': 1 }), [false, { $_path: [], 'b.f': [] }]);
    assert.deepEqual(pathsOf({ 'b.e': 1 }), [true, { $_path: [], 'b.e': ['b.e'] }]);
    assert.deepEqual(pathsOf({ 'later.x': 1 }), [true, { $_path: [], 'later.x': ['later', 'later.x'] }]);
  });

  it('combines bounds of a field without arrays in a wildcard index, and sorts by it', () => {
    cluster.run({ insert: 'sorted', documents: [{ a: 3, t: [1, 9] }, { a: 1 }, { a: 2 }, { a: 9, t: 5 }] });
    cluster.run({ createIndexes: 'sorted', indexes: [{ key: { '$**': 1 }, name: 'w' }] });
    const sorted = {
      find: 'sorted',
      filter: { a: { $gt: 1, $lt: 9 } },
      sort: { a: 1 },
      projection: { a: 1, _id: 0 },
    };
    const found = explain(sorted);
    assert.deepEqual(found.bounds, { $_path: ['["a", "a"]'], a: ['(1, 9)'] });
    assert.ok(!found.stages.includes('SORT'));
    assert.deepEqual(cluster.run(sorted).cursor.firstBatch, [{ a: 2 }, { a: 3 }]);
    const ofArrays = { find: 'sorted', filter: { t: { $gt: 4, $lt: 6 } } };
    assert.notDeepEqual(explain(ofArrays).bounds, { $_path: ['["t", "t"]'], t: ['(4, 6)'] });
    // Each condition can hold for another element of an array.
    for (const [low, high, count] of [
      [5, 6, 1],
      [2, 6, 2],
      [2, 3, 1],
      [8, 2, 1],
      [9, 6, 0],
    ] as const) {
      const filter = { t: { $gt: low, $lt: high } };
      assert.equal(
        cluster.run({ find: 'sorted', filter }).cursor.firstBatch.length,
        count,
        `${low}, ${high}`,
      );
    }
  });

  for (const condition of [null, { $exists: false }, { $ne: 15 }, { $not: { $gt: 1 } }]) {
    it(`rejects a hint at a wildcard index for ${JSON.stringify(condition)}`, () => {
      for (const args of [
        { find: 'w', filter: { 'p.cost': condition } },
        { find: 'w', filter: { q: condition } },
      ])
        assert.equal(cluster.run({ ...args, hint: 'w' }).code, 291);
    });
  }

  it('accepts a hint at a wildcard index for an element of an array', () => {
    const filter = { 'p.cost': { $elemMatch: { $gt: 1 } } };
    assert.deepEqual(cluster.run({ find: 'w', filter, hint: 'w' }).cursor.firstBatch, []);
  });

  it('merges scans in the sort order', () => {
    const filter = { a: { $in: [1, 2, 7] }, b: { $gt: 1 } };
    const { queryPlanner } = cluster.run({ explain: { find: 'c', filter, sort: { b: 1 } } });
    const merge = queryPlanner.winningPlan.inputStage;
    assert.deepEqual([merge.stage, merge.sortPattern], ['SORT_MERGE', { b: 1 }]);
    assert.deepEqual(
      merge.inputStages.map(({ indexBounds, direction }: Document) => [indexBounds.a, direction]),
      [1, 2, 7].map((a) => [[`[${a}, ${a}]`], 'backward']),
    );
    const valuesOf = (documents: Document[]) => documents.map(({ b }): number => b);
    const found = (more: Document) => valuesOf(cluster.run({ find: 'c', filter, ...more }).cursor.firstBatch);
    const ascending = found({ hint: { $natural: 1 } }).sort((x, y) => x - y);
    assert.deepEqual(found({ sort: { b: 1 } }), ascending);
    assert.deepEqual(found({ sort: { b: -1 }, skip: 2, limit: 3 }), ascending.toReversed().slice(2, 5));
    const { id, firstBatch } = cluster.run({ find: 'c', filter, sort: { b: 1 }, batchSize: 3 }).cursor;
    const { nextBatch } = cluster.run({ getMore: id, collection: 'c' }).cursor;
    assert.deepEqual(valuesOf([...firstBatch, ...nextBatch]), ascending);
  });

  it('shows the bounds of a negation', () => {
    const bounds = (condition: Document) =>
      explain({ find: 'c', filter: { t: { $not: condition } }, hint: 't' }).bounds?.t;
    assert.deepEqual(bounds({ $gt: 5 }), ['[MinKey, 5]', '(inf.0, MaxKey]']);
    assert.deepEqual(bounds({ $gt: 'x' }), ['[MinKey, "x"]', '[{}, MaxKey]']);
  });

  it('reads no documents for the distinct values of a key', () => {
    const { stages, documents, keys } = explain({ distinct: 'c', key: 'a' });
    assert.deepEqual([stages, documents], [['PROJECTION_COVERED', 'DISTINCT_SCAN'], 0]);
    assert.equal(keys, 10);
    const unique = explain({ distinct: 'u', key: 'n' });
    assert.deepEqual([unique.stages, unique.documents, unique.keys], [stages, 0, 500]);
  });

  const plans: Array<[string, Document, string[]]> = [
    ['a sort that an index provides', { find: 'c', sort: { a: -1, b: 1 } }, ['FETCH', 'IXSCAN']],
    ['a sort after an equality', { find: 'c', filter: { a: 1 }, sort: { b: 1 } }, ['FETCH', 'IXSCAN']],
    [
      'a sort after several values',
      { find: 'c', filter: { a: { $in: [1, 2] } }, sort: { b: 1 } },
      ['FETCH', 'SORT_MERGE'],
    ],
    [
      'a sort after more than 200 values',
      { find: 'c', filter: { a: { $in: Array.from({ length: 201 }, (_, i) => i) } }, sort: { b: 1 } },
      ['SORT', 'FETCH', 'IXSCAN'],
    ],
    [
      'a sorted alternative',
      { find: 'c', filter: { $or: [{ a: 1 }, { a: { $in: [2, 3] } }] }, sort: { b: -1 } },
      ['FETCH', 'SORT_MERGE'],
    ],
    [
      'an alternative of which one part is not sorted',
      { find: 'c', filter: { $or: [{ a: 1 }, { a: { $gt: 8 } }] }, sort: { b: -1 } },
      ['SORT', 'FETCH', 'OR'],
    ],
    ['a sort that no index provides', { find: 'c', sort: { a: 1, b: 1 } }, ['SORT', 'COLLSCAN']],
    ['a partial index that contains all matches', { find: 'c', filter: { b: 5 } }, ['FETCH', 'IXSCAN']],
    ['a partial index that does not', { find: 'c', filter: { b: 3 } }, ['COLLSCAN']],
    ['a compound wildcard index', { find: 'cw', filter: { k: 1, 'a.x': 1 } }, ['FETCH', 'IXSCAN']],
    ['a range before a wildcard', { find: 'cw', filter: { k: { $gt: 0 }, 'a.x': 1 } }, ['FETCH', 'IXSCAN']],
    ['only the field before a wildcard', { find: 'cw', filter: { k: 1 } }, ['FETCH', 'IXSCAN']],
    ['that field or a missing one', { find: 'cw', filter: { k: { $in: [1, null] } } }, ['COLLSCAN']],
    ['only the wildcard', { find: 'cw', filter: { 'a.x': 1 } }, ['COLLSCAN']],
    ['an expression', { find: 'c', filter: { $expr: { $eq: ['$a', 5] } } }, ['FETCH', 'IXSCAN']],
    [
      'a range in an expression',
      { find: 'c', filter: { $expr: { $and: [{ $gt: ['$a', 5] }, { $ne: ['$b', 1] }] } } },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'an expression that fails on an empty document',
      { find: 'sp', filter: { $expr: { $and: [{ $toInt: { $ifNull: ['$a', 'x'] } }, { $gt: ['$a', 5] }] } } },
      ['COLLSCAN'],
    ],
    [
      'an expression that is also true without the field of a sparse index',
      { find: 'sp', filter: { $expr: { $and: [{ $gt: ['$b', 5] }, { $lt: ['$a', 9] }] } } },
      ['COLLSCAN'],
    ],
    [
      'an expression that is also true without the field of a wildcard index',
      { find: 'w', filter: { $expr: { $and: [{ $gt: ['$none', 5] }, { $gt: [10, '$p.cost'] }] } } },
      ['COLLSCAN'],
    ],
    ['an expression over arrays', { find: 'c', filter: { $expr: { $gt: ['$t', 4] } } }, ['COLLSCAN']],
    ['a count', { count: 'c', query: { a: { $gt: 7 } } }, ['COUNT', 'COUNT_SCAN']],
    ['a count over arrays', { count: 'c', query: { t: 4 } }, ['COUNT', 'COUNT_SCAN']],
    ['distinct values', { distinct: 'c', key: 'a' }, ['PROJECTION_COVERED', 'DISTINCT_SCAN']],
    ['a hint', { find: 'c', hint: 'ab' }, ['FETCH', 'IXSCAN']],
    ['an empty document in a wildcard index', { find: 'w', filter: { 'p.more': {} } }, ['FETCH', 'IXSCAN']],
    ['a document in a wildcard index', { find: 'w', filter: { 'p.more': { a: 1 } } }, ['COLLSCAN']],
    [
      'a sort by the field of a wildcard index',
      { find: 'w', filter: { 'p.cost': { $gt: 1 } }, sort: { 'p.cost': -1 } },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'a sort by another field',
      { find: 'w', filter: { 'p.cost': { $gt: 1 } }, sort: { 'p.more': 1 } },
      ['SORT', 'FETCH', 'IXSCAN'],
    ],
    ['a number in an index with a collation', { find: 'f', filter: { k: 5 } }, ['FETCH', 'IXSCAN']],
    ['a text in an index with a collation', { find: 'f', filter: { k: 'x' } }, ['COLLSCAN']],
    ['a value of a unique index', { find: 'e', filter: { s: 'x' } }, ['EXPRESS_IXSCAN']],
    ['a value of a partial unique index', { find: 'e', filter: { p: { $eq: 3 } } }, ['EXPRESS_IXSCAN']],
    ['a value in a partial index of a type', { find: 'e', filter: { y: true } }, ['COLLSCAN']],
    ['the type of a partial index', { find: 'e', filter: { y: { $type: 'bool' } } }, ['FETCH', 'IXSCAN']],
    ['a value and its type', { find: 'e', filter: { y: { $type: 'bool', $eq: true } } }, ['FETCH', 'IXSCAN']],
    [
      'a pipeline with a value of a unique index',
      { aggregate: 'e', pipeline: [{ $match: { s: 'x' } }], cursor: {} },
      ['EXPRESS_IXSCAN'],
    ],
    [
      'a value of a unique index in batches',
      { find: 'e', filter: { s: 'x' }, batchSize: 5 },
      ['FETCH', 'IXSCAN'],
    ],
    ['an _id in batches', { find: 'e', filter: { _id: 1 }, batchSize: 5 }, ['IDHACK']],
    [
      'fields of an _id in batches',
      { find: 'e', filter: { _id: 1 }, projection: { s: 1 }, batchSize: 0 },
      ['PROJECTION_SIMPLE', 'IDHACK'],
    ],
    ['a partial index by type', { find: 'e', filter: { y: { $type: 8 } } }, ['FETCH', 'IXSCAN']],
    [
      'a partial index by several types',
      { find: 'e', filter: { y: { $type: ['bool', 'int'] } } },
      ['COLLSCAN'],
    ],
    ['a filter that matches nothing', { find: 'c', filter: { $alwaysFalse: 1 } }, ['EOF']],
    ['an empty list', { find: 'c', filter: { b: 1, a: { $in: [] } }, sort: { b: 1 } }, ['EOF']],
    [
      'alternatives of which one can match',
      { find: 'c', filter: { $or: [{ a: { $in: [] } }, { x: 1 }] } },
      ['COLLSCAN'],
    ],
    ['a remainder', { find: 'u', filter: { n: { $mod: [7, 1] } } }, ['FETCH', 'IXSCAN']],
    ['one document of a unique index', { find: 'e', filter: { m: 5 }, limit: 1 }, ['EXPRESS_IXSCAN']],
    ['a value of a compound unique index', { find: 'e', filter: { m: 5 } }, ['FETCH', 'IXSCAN']],
    [
      'a value of a unique index with a projection',
      { find: 'e', filter: { s: 'x' }, projection: { q: 1 } },
      ['PROJECTION_SIMPLE', 'FETCH', 'IXSCAN'],
    ],
    [
      'a value of a unique index in batches',
      { find: 'e', filter: { s: 'x' }, batchSize: 2 },
      ['FETCH', 'IXSCAN'],
    ],
    ['a hint at a unique index', { find: 'e', filter: { s: 'x' }, hint: 's' }, ['FETCH', 'IXSCAN']],
    ['two values of a unique index', { find: 'e', filter: { s: { $in: ['x', 'y'] } } }, ['FETCH', 'IXSCAN']],
    ['a value and another condition', { find: 'e', filter: { s: 'x', q: 1 } }, ['FETCH', 'IXSCAN']],
    [
      'one document of a hashed index',
      { find: 'e', filter: { h: 1 }, limit: 1 },
      ['LIMIT', 'FETCH', 'IXSCAN'],
    ],
    [
      'one document of a wildcard index',
      { find: 'e', filter: { 'w.a': 1 }, limit: 1 },
      ['LIMIT', 'FETCH', 'IXSCAN'],
    ],
    ['one _id of a clustered collection', { find: 'k', filter: { _id: 1 } }, ['EXPRESS_CLUSTERED_IXSCAN']],
    ['a range of a clustered collection', { find: 'k', filter: { _id: { $gt: 1 } } }, ['CLUSTERED_IXSCAN']],
    [
      'a hint at the key of a clustered collection',
      { find: 'k', filter: { _id: 1 }, hint: { _id: 1 } },
      ['CLUSTERED_IXSCAN'],
    ],
    ['a clustered collection in order', { find: 'k', sort: { _id: 1 } }, ['COLLSCAN']],
    ['a $natural hint', { find: 'c', filter: { a: 1 }, hint: { $natural: 1 } }, ['COLLSCAN']],
    [
      'an $or with an unindexed alternative',
      { find: 'c', filter: { $or: [{ a: 1 }, { b: 1 }] } },
      ['COLLSCAN'],
    ],
    [
      'an $or with indexed alternatives',
      { find: 'c', filter: { $or: [{ a: 1 }, { t: 4 }] } },
      ['FETCH', 'OR'],
    ],
    [
      'a pipeline',
      { aggregate: 'c', pipeline: [{ $sort: { a: 1, b: -1 } }], cursor: {} },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'an update',
      { update: 'c', updates: [{ q: { a: 1 }, u: { $set: { x: 1 } } }] },
      ['UPDATE', 'FETCH', 'IXSCAN'],
    ],
  ];
  for (const [what, command, stages] of plans) {
    it(`uses the expected stages for ${what}`, () => {
      assert.deepEqual(explain(command).stages, stages);
    });
  }

  it('reports what it would read', () => {
    const query = { t: { $in: [1, 4] } };
    const matching = cluster.run({ find: 'c', filter: query, hint: { $natural: 1 }, batchSize: 100 });
    assert.equal(cluster.run({ count: 'c', query }).n, matching.cursor.firstBatch.length);
    const group = { $group: { _id: 1, n: { $sum: 1 } } };
    const counted = cluster.run({
      aggregate: 'c',
      pipeline: [{ $match: { a: { $lt: 2 } } }, group],
      cursor: {},
    });
    assert.deepEqual(counted.cursor.firstBatch, [{ _id: 1, n: 12 }]);
  });

  it('updates a document once, even if its key moves along the index', () => {
    cluster.run({ insert: 'moving', documents: [1, 2, 3].map((a) => ({ _id: a, a })) });
    cluster.run({ createIndexes: 'moving', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const update = { q: { a: { $gt: 0 } }, u: { $inc: { a: 2 } }, multi: true };
    assert.equal(cluster.run({ update: 'moving', updates: [update] }).nModified, 3);
    assert.deepEqual(
      cluster.documents('moving').map(({ a }) => a),
      [3, 4, 5],
    );
  });
});

describe('find with an index', () => {
  const find = (options: Document) => cluster.run({ find: 'c', batchSize: 100, ...options });

  it('reads from min to max', () => {
    const { cursor } = find({ min: { a: 3, b: 4 }, max: { a: 4, b: 6 }, hint: 'ab' });
    assert.ok(cursor.firstBatch.length > 0);
    for (const { a, b } of cursor.firstBatch)
      assert.ok((a === 3 && b <= 4) || (a === 4 && b > 6), `${a}, ${b}`);
  });

  const refused: Array<[string, Document, number]> = [
    ['min without a hint', { min: { a: 1, b: 1 } }, 51173],
    ['min of another index', { min: { a: 1 }, hint: 'ab' }, 51174],
    ['min above max', { min: { a: 2, b: 1 }, max: { a: 1, b: 1 }, hint: 'ab' }, 51175],
    ['min and max of different fields', { min: { a: 2 }, max: { b: 1 }, hint: 'ab' }, 51176],
    ['a hint at an unknown index', { hint: 'none' }, 2],
  ];
  for (const [what, options, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(find(options).code, code));
  }

  it('ends when the index is dropped', () => {
    cluster.run({ insert: 'dropped', documents: [1, 2, 3].map((_id) => ({ _id, a: _id })) });
    cluster.run({ createIndexes: 'dropped', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const { cursor } = cluster.run({ find: 'dropped', filter: { a: { $gt: 0 } }, batchSize: 1 });
    cluster.run({ dropIndexes: 'dropped', index: 'a' });
    assert.equal(cluster.run({ getMore: cursor.id, collection: 'dropped' }).code, 175);
  });

  it('returns keys instead of documents', () => {
    const { cursor } = find({ filter: { a: 3 }, returnKey: true, limit: 1 });
    assert.deepEqual(Object.keys(cursor.firstBatch[0]), ['a', 'b']);
  });
});

describe('index filters', () => {
  it('limit queries of one shape to the named indexes until cleared', () => {
    const stage = () => explain({ find: 'c', filter: { a: 5 } }).stages.at(-1);
    const set = { planCacheSetFilter: 'c', query: { a: 1 }, indexes: ['t'] };
    assert.equal(cluster.run(set).ok, 1);
    assert.equal(stage(), 'COLLSCAN');
    assert.equal(cluster.run({ planCacheListFilters: 'c' }).filters.length, 1);
    cluster.run({ planCacheClearFilters: 'c', query: { a: 9 } });
    assert.equal(stage(), 'IXSCAN');
  });
});

describe('query settings', () => {
  it('reject queries of a shape', () => {
    const query = { find: 'c', filter: { a: 1 }, $db: 'test' };
    const set = { setQuerySettings: query, settings: { reject: true }, $db: 'admin' };
    const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
    assert.match(cluster.run(set, { user }).queryShapeHash, /^[0-9A-F]{64}$/);
    assert.equal(cluster.run({ find: 'c', filter: { a: 2 } }).code, 411);
    assert.equal(cluster.run({ find: 'c', filter: { b: 2 } }).ok, 1);
    cluster.run({ removeQuerySettings: query, $db: 'admin' }, { user });
    assert.equal(cluster.run({ find: 'c', filter: { a: 2 } }).ok, 1);
  });
});
