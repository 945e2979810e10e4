import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Binary, type Document, Long, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const documentsOf = ({ cursor }: Document) => cursor.firstBatch;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'places', documents: [{ _id: 1, loc: [0, 0], t: 'tea', a: 1, other: 1 }] });
  cluster.run({
    createIndexes: 'places',
    indexes: [
      { key: { loc: '2d' }, name: 'loc', min: -100, max: 100 },
      { key: { t: 'text' }, name: 't' },
      { key: { a: 1 }, name: 'a', sparse: true },
    ],
  });
  cluster.run({ create: 'capped', capped: true, size: 4096 });
});
after(() => cluster.remove());

const near = { loc: { $near: [0, 0] } };
const text = { $text: { $search: 'tea' } };

const rejected: ReadonlyArray<readonly [Document, code: number]> = [
  [{ filter: text, sort: { $natural: 1 } }, 2],
  [{ filter: near, sort: { $natural: 1 } }, 2],
  [{ filter: near, hint: { $natural: 1 } }, 2],
  [{ filter: {}, sort: { $natural: 1 }, hint: { a: 1 } }, 2],
  [{ filter: {}, sort: { $natural: 1 }, hint: { $natural: -1 } }, 2],
  [{ filter: { $or: [text, { other: 1 }] } }, 291],
];

describe('mutually exclusive parts of a query', () => {
  for (const [query, code] of rejected) {
    it(`${inspect(query, { depth: 5, breakLength: 200 })}: ${code}`, () => {
      assert.equal(cluster.run({ find: 'places', ...query }).code, code);
    });
  }

  it('$text is allowed under $or if the other alternatives are indexed', () => {
    const filter = { $or: [text, { a: 1 }, { _id: 5 }] };
    assert.equal(documentsOf(cluster.run({ find: 'places', filter })).length, 1);
  });

  it('tailable cursors reject text and geo queries', () => {
    for (const filter of [text, near]) {
      const { ok, code } = cluster.run({ find: 'capped', filter, tailable: true });
      assert.equal(ok, 0);
      assert.ok([2, 27, 291].includes(code));
    }
  });
});

describe('a tailable cursor with a limit', () => {
  it('stays open and returns no more documents', () => {
    cluster.run({ insert: 'capped', documents: [{ _id: 1 }] });
    const opened = cluster.run({ find: 'capped', tailable: true, limit: 2 });
    const more = () => {
      const { cursor } = cluster.run({ getMore: opened.cursor.id, collection: 'capped' });
      return [cursor.nextBatch, Number(cursor.id) !== 0];
    };
    cluster.run({ insert: 'capped', documents: [{ _id: 2 }, { _id: 3 }] });
    assert.deepEqual(more(), [[{ _id: 2 }], true]);
    cluster.run({ insert: 'capped', documents: [{ _id: 4 }] });
    assert.deepEqual(more(), [[], true]);
  });
});

describe('index key metadata', () => {
  before(() => {
    cluster.run({ insert: 'keys', documents: [{ _id: 1, tags: ['b', 'a', 'c'], h: 5, n: 1 }] });
    cluster.run({
      createIndexes: 'keys',
      indexes: [
        { key: { tags: 1 }, name: 'tags' },
        { key: { h: 'hashed' }, name: 'h' },
      ],
    });
  });
  const keyFor = (filter: Document): unknown => {
    const projection = { _id: 0, k: { $meta: 'indexKey' } };
    const [found] = documentsOf(cluster.run({ find: 'keys', filter, projection }));
    const pipeline = [{ $match: filter }, { $addFields: { x: 1 } }, { $project: projection }];
    const [same] = documentsOf(cluster.run({ aggregate: 'keys', pipeline, cursor: {} }));
    assert.deepEqual(found.k, same.k);
    return found.k;
  };

  it('is available by $meta, for the matched element of an array', () => {
    assert.deepEqual(keyFor({ tags: 'b' }), { tags: 'b' });
    assert.deepEqual(keyFor({ tags: { $gt: 'b' } }), { tags: 'c' });
    assert.equal(keyFor({ n: 1 }), undefined);
  });

  it('is a hash for a hashed index', () => {
    assert.ok(
      (keyFor({ h: 5 }) as Document).h instanceof Long ||
        typeof (keyFor({ h: 5 }) as Document).h === 'bigint',
    );
  });

  it('is the result of returnKey', () => {
    const [found] = documentsOf(cluster.run({ find: 'keys', filter: { tags: 'b' }, returnKey: true }));
    assert.deepEqual(found, { tags: 'b' });
  });

  it('of a wildcard index contains the path and the value, between other parts of the key', () => {
    const documents = [{ _id: 1, a: { b: [1, 5] }, x: 3, y: 4 }];
    cluster.run({ insert: 'wildKeys', documents });
    const keys = [
      [{ '$**': 1 }, { 'a.b': { $gt: 2 } }, { $_path: 'a.b', 'a.b': 5 }],
      [{ 'a.$**': -1 }, { 'a.b': 1 }, { $_path: 'a.b', 'a.b': 1 }],
      [
        { x: 1, 'a.$**': 1, y: -1 },
        { x: 3, 'a.b': { $lt: 5 } },
        { x: 3, $_path: 'a.b', 'a.b': 1, y: 4 },
      ],
    ] as const;
    for (const [i, [key, filter, expected]] of keys.entries()) {
      const name = `wild${i}`;
      cluster.run({ createIndexes: 'wildKeys', indexes: [{ key, name }] });
      const query = { find: 'wildKeys', filter, hint: name };
      assert.deepEqual(documentsOf(cluster.run({ ...query, returnKey: true })), [expected]);
      const shown = { ...query, projection: { _id: 0, k: { $meta: 'indexKey' } } };
      assert.deepEqual(documentsOf(cluster.run(shown))[0]?.k, expected);
    }
  });
});

it('$expr compares constants binary, whatever the collation', () => {
  cluster.run({ insert: 'words', documents: [{ _id: 1, x: 'apple', list: ['Apple'] }] });
  const find = ($expr: Document) =>
    documentsOf(cluster.run({ find: 'words', filter: { $expr }, collation: { locale: 'en', strength: 1 } }))
      .length;
  assert.equal(find({ $in: ['$x', ['Apple', 'Pear']] }), 0);
  assert.equal(find({ $and: [{ $in: ['$x', ['Apple']] }, true] }), 0);
  assert.equal(find({ $in: ['apple', '$list'] }), 1);
  assert.equal(find({ $eq: ['$x', 'APPLE'] }), 1);
});

it('an _id may be a DBRef, but have no other names with a dollar', () => {
  const insert = (_id: Document) => cluster.run({ insert: 'refs', documents: [{ _id }] });
  assert.equal(insert({ $ref: 'c', $id: 1 }).n, 1);
  assert.equal(insert({ $ref: 'c', $id: 2, $db: 'd', more: 1 }).n, 1);
  for (const id of [{ $ref: 'c' }, { $ref: 1, $id: 1 }, { $id: 1 }, { $ref: 'c', $id: 1, $x: 1 }]) {
    assert.equal(insert(id).writeErrors[0].code, 52, inspect(id));
  }
});

it('the bounds of a 2d index are stored as given and listed as doubles', () => {
  const stats = cluster.run({ aggregate: 'places', pipeline: [{ $indexStats: {} }], cursor: {} });
  assert.equal(documentsOf(stats).find(({ name }: Document) => name === 'loc').spec.min, -100);
  const again = { key: { loc: '2d' }, name: 'loc', min: -100.0, max: 100 };
  assert.equal(cluster.run({ createIndexes: 'places', indexes: [again] }).ok, 1);
});

it('a sparse index serves $exists', () => {
  const { queryPlanner } = cluster.run({
    explain: { find: 'places', filter: { a: { $exists: true } } },
    verbosity: 'queryPlanner',
  });
  assert.equal(queryPlanner.winningPlan.inputStage?.indexName, 'a');
});

describe('filters outside of queries', () => {
  const pull = (condition: Document) => ({ q: {}, u: { $pull: { list: condition } } });
  const update = (filter: Document) => ({ q: {}, u: { $set: { 'list.$[e]': 1 } }, arrayFilters: [filter] });
  const match = (restrictSearchWithMatch: Document) => ({
    $graphLookup: {
      from: 'places',
      startWith: '$a',
      connectFromField: 'a',
      connectToField: 'a',
      as: 'x',
      restrictSearchWithMatch,
    },
  });
  const contexts: ReadonlyArray<readonly [string, (filter: Document) => Document, plain: boolean]> = [
    ['$pull', (filter) => ({ update: 'places', updates: [pull(filter)] }), true],
    ['arrayFilters', (filter) => ({ update: 'places', updates: [update(filter)] }), true],
    ['listCollections', (filter) => ({ listCollections: 1, filter }), false],
    ['$graphLookup', (filter) => ({ aggregate: 'places', pipeline: [match(filter)], cursor: {} }), false],
  ];
  for (const [where, command, plain] of contexts) {
    it(`reject text, geo and script operators: ${where}`, () => {
      const codeOf = (filter: Document) => {
        const { code, writeErrors } = cluster.run(command(filter));
        return code ?? writeErrors?.[0].code;
      };
      assert.equal(codeOf(text), 2);
      assert.equal(codeOf({ $where: '1' }), 2);
      assert.equal(codeOf({ $and: [near] }), 5626500);
      const others = [{ $expr: true }, { $or: [{ $jsonSchema: {} }] }].map(codeOf);
      assert.deepEqual(others, plain ? [224, 224] : [undefined, undefined]);
    });
  }
});

it('a delete accepts limits 0 and 1 only', () => {
  const remove = (limit: number) => cluster.run({ delete: 'none', deletes: [{ q: {}, limit }] });
  assert.equal(remove(1).ok, 1);
  for (const limit of [0.5, 1.5, Number.NaN, 2]) assert.equal(remove(limit).code, 9, String(limit));
});

it('explain returns rejected plans', () => {
  cluster.run({ insert: 'ways', documents: [1, 2, 3].map((n) => ({ _id: n, a: n, b: n, c: n })) });
  const indexes = ['b', 'c'].map((name) => ({ key: { a: 1, [name]: 1 }, name }));
  cluster.run({ createIndexes: 'ways', indexes });
  const explain = (verbosity: string, filter: Document) =>
    cluster.run({ explain: { find: 'ways', filter }, verbosity });
  const { queryPlanner, executionStats } = explain('allPlansExecution', { a: { $gt: 1 } });
  const [rejected, ...others] = queryPlanner.rejectedPlans;
  assert.deepEqual(others, []);
  const names = [queryPlanner.winningPlan, rejected].map(({ inputStage }: Document) => inputStage.indexName);
  assert.deepEqual(names.sort(), ['b', 'c']);
  assert.equal(executionStats.allPlansExecution.length, 2);
  assert.equal(executionStats.allPlansExecution[0].nReturned, 2);
  assert.deepEqual(explain('allPlansExecution', { d: 1 }).executionStats.allPlansExecution, []);
  assert.equal('allPlansExecution' in explain('executionStats', { a: 1 }).executionStats, false);
});

it('explain rejects the plans with a wildcard index for all paths but one', () => {
  const documents = [
    { p: { price: 25, material: 'silk', size: 'large' } },
    { p: { price: 30, material: 'silk', size: 'small' } },
    { p: { price: 5, material: 'silk' } },
  ];
  cluster.run({ insert: 'wares', documents });
  cluster.run({ createIndexes: 'wares', indexes: [{ key: { 'p.$**': 1 }, name: 'w' }] });
  const filter = { 'p.price': { $gt: 20 }, 'p.material': 'silk', 'p.size': 'large' };
  const { queryPlanner, executionStats } = cluster.run({ explain: { find: 'wares', filter } });
  const pathOf = ({ inputStage }: Document) => Object.keys(inputStage.keyPattern)[1];
  assert.equal(pathOf(queryPlanner.winningPlan), 'p.size');
  assert.deepEqual(queryPlanner.rejectedPlans.map(pathOf), ['p.material', 'p.price']);
  assert.deepEqual([executionStats.nReturned, executionStats.totalKeysExamined], [1, 1]);
});

it('a query with many conditions has at most 64 plans with a wildcard index', () => {
  cluster.run({ createIndexes: 'wide', indexes: [{ key: { '$**': 1 }, name: 'w' }] });
  const filter = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]));
  const { rejectedPlans } = cluster.run({ explain: { find: 'wide', filter } }).queryPlanner;
  assert.equal(rejectedPlans.length, 63);
});

it('$querySettings returns shapes on request', () => {
  const query = { find: 'c', filter: { x: 1, y: { $in: ['a'] } }, sort: { y: 1 }, $db: 'test' };
  const user = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
  cluster.run({ setQuerySettings: query, settings: { reject: true }, $db: 'admin' }, { user });
  const shown = (showDebugQueryShape: boolean) =>
    documentsOf(
      cluster.run({
        aggregate: 1,
        pipeline: [{ $querySettings: { showDebugQueryShape } }],
        cursor: {},
        $db: 'admin',
      }),
    )[0].debugQueryShape;
  assert.deepEqual(shown(true), {
    cmdNs: { db: 'test', coll: 'c' },
    command: 'find',
    filter: { x: { $eq: '?number' }, y: { $in: '?array<?string>' } },
    sort: { y: 1 },
  });
  assert.equal(shown(false), undefined);
  cluster.run({ removeQuerySettings: query, $db: 'admin' }, { user });
});

it('$type with a wildcard hint scans the collection', () => {
  cluster.run({
    insert: 'wild',
    documents: [
      { _id: 1, v: [[1]] },
      { _id: 2, v: 5 },
    ],
  });
  cluster.run({ createIndexes: 'wild', indexes: [{ key: { '$**': 1 }, name: 'w' }] });
  const find = (filter: Document) => cluster.run({ find: 'wild', filter, hint: 'w' });
  assert.equal(documentsOf(find({ v: { $type: 'array' } })).length, 1);
  assert.equal(find({}).code, 291);
});

it('reads name a collection by its UUID, if the caller may use UUIDs', () => {
  cluster.run({ insert: 'named', documents: [{ _id: 1, a: 1 }] });
  const user = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
  const { uuid } = cluster.run({ listCollections: 1, filter: { name: 'named' } }).cursor.firstBatch[0].info;
  const run = (command: Document) => cluster.run(command, { user });
  const found = run({ find: uuid, filter: { a: 1 } }).cursor;
  assert.deepEqual([found.ns, found.firstBatch], ['test.named', [{ _id: 1, a: 1 }]]);
  assert.equal(run({ count: uuid }).n, 1);
  assert.deepEqual(run({ distinct: uuid, key: 'a' }).values, [1]);
  assert.equal(run({ listIndexes: uuid }).cursor.ns, 'test.named');
  assert.equal(run({ find: new UUID() }).code, 26);
  assert.equal(run({ find: uuid, $db: 'other' }).code, 26);
  assert.equal(run({ find: new Binary(Buffer.alloc(3), 4) }).code, 207);
  assert.equal(run({ aggregate: uuid, pipeline: [], cursor: {} }).code, 73);
  assert.equal(run({ insert: uuid, documents: [{}] }).code, 73);
  assert.equal(cluster.run({ find: uuid }).code, 13);
});
