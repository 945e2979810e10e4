import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

/** A user who can read system collections. */
const root = { ...admin, roles: [{ role: 'root', database: 'admin' }] };

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ dropDatabase: 1 });
  cluster.run({ insert: 'c', documents: [1, 2, 3, 4].map((_id) => ({ _id, odd: _id % 2 === 1 })) });
  view('odd', 'c', [{ $match: { odd: true } }]);
  view('ids', 'odd', [{ $project: { _id: 1 } }]);
});

const view = (create: string, viewOn: string, pipeline: Document[], more: Document = {}) =>
  cluster.run({ create, viewOn, pipeline, ...more });
const aggregate = (name: string, pipeline: Document[], more: Document = {}) =>
  cluster.run({ aggregate: name, pipeline, cursor: {}, ...more });
const names = () =>
  cluster.run({ listCollections: 1, nameOnly: true }).cursor.firstBatch.map(({ name }: Document) => name);

describe('a view', () => {
  it('counts towards the nested pipelines of the stages that read it', () => {
    const nested = (from: string, levels: number, stage: string): Document[] => {
      if (levels === 0) return [];
      const inner = { pipeline: nested(from, levels - 1, stage) };
      return stage === '$lookup'
        ? [{ $lookup: { from, as: 'x', ...inner } }]
        : [{ $unionWith: { coll: from, ...inner } }];
    };
    cluster.run({ insert: 'one', documents: [{ _id: 1 }] });
    for (const stage of ['$lookup', '$unionWith']) {
      for (const name of ['below', 'above', 'beyond']) cluster.run({ drop: name });
      view('below', 'one', nested('one', 15, stage));
      view('above', 'below', nested('below', 5, stage));
      assert.equal(aggregate('above', [{ $count: 'n' }]).ok, 1);
      view('beyond', 'above', nested('above', 1, stage));
      assert.equal(aggregate('beyond', [{ $count: 'n' }]).code, 232);
    }
    const join = {
      from: 'above',
      startWith: '$_id',
      connectFromField: '_id',
      connectToField: '_id',
      as: 'x',
    };
    const graph = (levels: number): Document[] =>
      levels === 0
        ? [{ $graphLookup: join }]
        : [{ $lookup: { from: 'one', as: 'x', pipeline: graph(levels - 1) } }];
    view('above', 'one', nested('one', 19, '$lookup'));
    cluster.run({ collMod: 'above', viewOn: 'one', pipeline: nested('one', 19, '$lookup') });
    assert.equal(aggregate('one', graph(0)).ok, 1);
    assert.equal(aggregate('one', graph(1)).code, 232);
  });

  it('is read through its pipeline, and those of the views below it', () => {
    assert.deepEqual(cluster.documents('odd'), [
      { _id: 1, odd: true },
      { _id: 3, odd: true },
    ]);
    const find = cluster.run({ find: 'ids', filter: { _id: { $gt: 1 } }, sort: { _id: -1 } });
    assert.deepEqual(find.cursor.firstBatch, [{ _id: 3 }]);
    assert.equal(find.cursor.ns, 'test.ids');
    assert.deepEqual(aggregate('ids', [{ $count: 'n' }]).cursor.firstBatch, [{ n: 2 }]);
    assert.equal(cluster.run({ count: 'odd', query: { _id: { $lt: 3 } } }).n, 1);
    assert.deepEqual(cluster.run({ distinct: 'ids', key: '_id' }).values, [1, 3]);
  });

  it('can be read by stages of other pipelines', () => {
    const stages: Document[] = [
      { $lookup: { from: 'ids', localField: '_id', foreignField: '_id', as: 'found' } },
      { $match: { found: { $ne: [] } } },
      { $project: { _id: 1 } },
      { $unionWith: 'ids' },
    ];
    assert.deepEqual(
      aggregate('c', stages).cursor.firstBatch.map(({ _id }: Document) => _id),
      [1, 3, 1, 3],
    );
  });

  it('is listed with its definition, and stored in system.views', () => {
    const [listed] = cluster.run({ listCollections: 1, filter: { type: 'view', name: 'odd' } }).cursor
      .firstBatch;
    assert.deepEqual(listed, {
      name: 'odd',
      type: 'view',
      options: { viewOn: 'c', pipeline: [{ $match: { odd: true } }] },
      info: { readOnly: true },
    });
    assert.deepEqual(
      cluster.run({ find: 'system.views', filter: { _id: 'test.ids' } }, { user: root }).cursor.firstBatch[0],
      {
        _id: 'test.ids',
        viewOn: 'odd',
        pipeline: [{ $project: { _id: 1 } }],
      },
    );
    assert.deepEqual(names(), ['c', 'ids', 'odd', 'system.views']);
  });

  it('can be dropped and changed', () => {
    assert.deepEqual(cluster.run({ drop: 'ids' }), { ns: 'test.ids', ok: 1 });
    assert.equal(cluster.run({ collMod: 'odd', pipeline: [{ $match: { _id: 2 } }] }).ok, 1);
    assert.deepEqual(cluster.documents('odd'), [{ _id: 2, odd: false }]);
    assert.equal(cluster.run({ collMod: 'odd', validator: {} }).code, 72);
  });

  it('rejects writes', () => {
    const writes: Document[] = [
      { insert: 'odd', documents: [{}] },
      { update: 'odd', updates: [{ q: {}, u: { $set: { a: 1 } } }] },
      { delete: 'odd', deletes: [{ q: {}, limit: 0 }] },
    ];
    for (const command of writes)
      assert.equal(cluster.run(command).writeErrors?.[0].code ?? cluster.run(command).code, 166);
    assert.equal(cluster.run({ findAndModify: 'odd', query: {}, remove: true }).code, 166);
    assert.equal(aggregate('c', [{ $out: 'odd' }]).code, 166);
    assert.equal(cluster.run({ renameCollection: 'test.odd', to: 'test.x', $db: 'admin' }).code, 166);
    assert.equal(cluster.run({ collStats: 'odd' }).code, 166);
  });

  const refused: Array<[string, string, Document[], number]> = [
    ['on itself', 'new', [], 5],
    [
      'that joins itself',
      'c',
      [{ $lookup: { from: 'new', localField: 'a', foreignField: 'a', as: 'b' } }],
      5,
    ],
    ['that writes', 'c', [{ $out: 'x' }], 167],
    ['without a collection', 'c', [{ $documents: [] }], 73],
    ['on nothing', '', [], 2],
    ['with an unknown stage', 'c', [{ $foo: 1 }], 40324],
  ];
  for (const [what, on, pipeline, code] of refused) {
    it(`is rejected ${what}`, () => {
      assert.equal(view('new', on, pipeline).code, code);
      assert.equal(names().includes('new'), false);
    });
  }

  it('may depend on others up to a maximum depth', () => {
    for (let i = 3; i <= 20; i++) assert.equal(view(`v${i}`, i === 3 ? 'ids' : `v${i - 1}`, []).ok, 1);
    assert.equal(view('v21', 'v20', []).code, 165);
    assert.deepEqual(cluster.documents('v20'), [{ _id: 1 }, { _id: 3 }]);
  });

  it('has its own collation, which commands cannot override', () => {
    cluster.run({
      insert: 't',
      documents: [
        { _id: 1, t: 'A' },
        { _id: 2, t: 'a' },
      ],
    });
    const collation = { locale: 'en', strength: 2 };
    view('any', 't', [], { collation });
    const found = (more: Document = {}) => cluster.run({ find: 'any', filter: { t: 'a' }, ...more });
    assert.equal(found().cursor.firstBatch.length, 2);
    assert.equal(found({ collation }).cursor.firstBatch.length, 2);
    assert.equal(found({ collation: { locale: 'fr' } }).code, 167);
    assert.equal(view('upon', 'any', []).code, 167);
  });

  it('cannot read the buckets of a time series', () => {
    cluster.run({ create: 'ts', timeseries: { timeField: 't' } });
    assert.equal(view('buckets', 'system.buckets.ts', []).code, 73);
    assert.equal(cluster.run({ collMod: 'odd', viewOn: 'system.buckets.ts', pipeline: [] }).code, 73);
  });

  it('rejects tailable cursors', () => {
    assert.equal(cluster.run({ find: 'odd', tailable: true }).code, 168);
    assert.equal(cluster.run({ find: 'odd', projection: { a: { $elemMatch: { b: 1 } } } }).code, 168);
  });
});
