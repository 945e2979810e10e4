import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
const idsOf = ({ cursor }: Document) => cursor.firstBatch.map(({ _id }: Document) => _id);
const near = { loc: { $near: { $geometry: point(0, 0) } } };

before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'places',
    documents: [
      { _id: 1, loc: point(3, 0), kind: 'a' },
      { _id: 2, loc: point(1, 0), kind: 'b' },
      { _id: 3, loc: point(2, 0), kind: 'a' },
      { _id: 4 },
    ],
  });
  cluster.run({ createIndexes: 'places', indexes: [{ key: { loc: '2dsphere' }, name: 'loc' }] });
  cluster.run({
    insert: 'texts',
    documents: [
      { _id: 1, t: 'tea' },
      { _id: 2, t: 'tea with milk' },
      { _id: 3, t: 'coffee' },
    ],
  });
  cluster.run({ createIndexes: 'texts', indexes: [{ key: { t: 'text' }, name: 't' }] });
});
after(() => cluster.remove());

describe('geospatial queries', () => {
  it('return the nearest first, unless sorted', () => {
    assert.deepEqual(idsOf(cluster.run({ find: 'places', filter: near })), [2, 3, 1]);
    assert.deepEqual(idsOf(cluster.run({ find: 'places', filter: near, limit: 1 })), [2]);
    assert.deepEqual(idsOf(cluster.run({ find: 'places', filter: near, sort: { _id: -1 } })), [3, 2, 1]);
    assert.deepEqual(idsOf(cluster.run({ find: 'places', filter: { ...near, kind: 'a' } })), [3, 1]);
  });

  it('update the nearest', () => {
    const found = cluster.run({ findAndModify: 'places', query: near, update: { $set: { seen: true } } });
    assert.equal(found.value._id, 2);
  });

  it('without an index fail with an error that contains the query', () => {
    cluster.run({ insert: 'unindexed', documents: [{ loc: point(0, 0) }] });
    const messageOf = (query: Document) => cluster.run({ find: 'unindexed', ...query }).errmsg;
    const reason = ' planner returned error :: caused by :: unable to find index for $geoNear query';
    assert.equal(
      messageOf({ filter: near }),
      `error processing query: ns=test.unindexedTree: GEONEAR  field=loc maxdist=1.79769e+308 isNearSphere=0
Sort: {}
Proj: {}
${reason}`,
    );
    const legacy = { loc: { $nearSphere: [0, 0], $maxDistance: 0.5 } };
    const filter = { ...legacy, kind: 'a', $or: [{ n: 1 }, { n: { $gt: 5 }, m: null }] };
    assert.equal(
      messageOf({ filter, sort: { kind: -1 }, projection: { kind: 1 }, limit: 5 }),
      `error processing query: ns=test.unindexed limit=5Tree: $and
    GEONEAR  field=loc maxdist=0.5 isNearSphere=1
    kind $eq "a"
    $or
        n $eq 1
        $and
            m $eq null
            n $gt 5
Sort: { kind: -1 }
Proj: { kind: 1 }
${reason}`,
    );
  });

  const unindexed: ReadonlyArray<[string, Document, string]> = [
    ['count', { query: near }, 'Proj: {}'],
    ['distinct', { key: 'a.b.0.c', query: near }, 'Proj: { _id: 0, a.b: 1 }'],
    ['distinct', { key: '_id', query: near }, 'Proj: { _id: 1 }'],
    ['update', { updates: [{ q: near, u: { $set: { n: 1 } } }] }, 'Proj: {}'],
    ['delete', { deletes: [{ q: near, limit: 1 }] }, 'Proj: {}'],
    ['findAndModify', { query: near, update: { $set: { n: 1 } } }, 'Proj: {}'],
  ];
  for (const [command, args, projection] of unindexed) {
    it(`without an index fail in ${command} with an error that contains the query`, () => {
      cluster.run({ insert: 'unindexed', documents: [{ loc: point(0, 0) }] });
      const expected = `error processing query: ns=test.unindexedTree: GEONEAR  field=loc maxdist=1.79769e+308 isNearSphere=0
Sort: {}
${projection}
 planner returned error :: caused by :: unable to find index for $geoNear query`;
      const explained = { explain: { [command]: 'unindexed', ...args } };
      for (const { errmsg, writeErrors } of [
        cluster.run({ [command]: 'unindexed', ...args }),
        cluster.run(explained),
      ]) {
        assert.equal(errmsg ?? writeErrors[0].errmsg, expected);
      }
    });
  }

  it('that need an unknown index fail with an error that contains the query', () => {
    cluster.run({ insert: 'unindexed', documents: [{ loc: point(0, 0) }] });
    const pipeline = [{ $match: { a: 1 } }, { $match: { b: 2 } }, { $sort: { c: 1 } }];
    const aggregate = { aggregate: 'unindexed', pipeline, cursor: {}, hint: 'none' };
    assert.deepEqual(
      cluster.run(aggregate).errmsg,
      `error processing query: ns=test.unindexedTree: $and
    a $eq 1
    b $eq 2
Sort: { c: 1 }
Proj: {}
 planner returned error :: caused by :: hint provided does not correspond to an existing index`,
    );
    const update = { $set: { n: 1 } };
    const modify = { findAndModify: 'unindexed', query: { a: 1 }, sort: { c: 1 }, update, hint: 'none' };
    assert.match(
      cluster.run(modify).errmsg,
      /^error processing query: ns=test.unindexed limit=1Tree: a \$eq 1\n/,
    );
  });

  it('by distance require an index, and are rejected in $match', () => {
    cluster.run({ insert: 'plain', documents: [{ loc: point(0, 0) }] });
    assert.equal(cluster.run({ find: 'plain', filter: near }).code, 291);
    assert.deepEqual(idsOf(cluster.run({ find: 'nowhere', filter: near })), []);
    assert.equal(
      cluster.run({ aggregate: 'places', pipeline: [{ $match: near }], cursor: {} }).code,
      5626500,
    );
  });

  it('return distances in a pipeline', () => {
    const geoNear = {
      near: [0, 0],
      spherical: true,
      distanceField: 'far',
      includeLocs: 'where',
      distanceMultiplier: 180 / Math.PI,
      query: { kind: 'a' },
    };
    const pipeline = [
      { $geoNear: geoNear },
      { $set: { known: { $meta: 'geoNearDistance' }, far: { $round: ['$far', 6] } } },
      { $set: { known: { $round: ['$known', 6] } } },
      { $project: { loc: 0, kind: 0 } },
    ];
    assert.deepEqual(cluster.run({ aggregate: 'places', pipeline, cursor: {} }).cursor.firstBatch, [
      { _id: 3, far: 2, where: point(2, 0), known: 2 },
      { _id: 1, far: 3, where: point(3, 0), known: 3 },
    ]);
  });

  it('find the places near a point of each joined document', () => {
    cluster.run({
      insert: 'centres',
      documents: [
        { _id: 1, at: point(0, 0), far: 250_000 },
        { _id: 2, at: 'none', far: 1 },
      ],
    });
    const joined = (near: unknown, at: Document = { _id: 1 }) =>
      cluster.run({
        aggregate: 'centres',
        pipeline: [
          { $match: at },
          {
            $lookup: {
              from: 'places',
              let: { at: '$at', far: '$far' },
              pipeline: [{ $geoNear: { near, maxDistance: '$$far', distanceField: 'far' } }],
              as: 'found',
            },
          },
        ],
        cursor: {},
      });
    assert.deepEqual(
      joined('$$at').cursor.firstBatch[0].found.map(({ _id }: Document) => _id),
      joined(point(0, 0)).cursor.firstBatch[0].found.map(({ _id }: Document) => _id),
    );
    assert.ok(joined('$$at').cursor.firstBatch[0].found.length > 0);
    assert.equal(joined('$$at', { _id: 2 }).code, 5860401);
    assert.equal(joined('$loc').code, 5860402);
  });

  const rejected: Array<[string, Document, number]> = [
    ['a missing near', {}, 5860400],
    ['an invalid point', { near: 5 }, 5860401],
    ['a point that depends on the document', { near: '$loc' }, 5860402],
    ['a distance below zero', { near: point(0, 0), maxDistance: -1 }, 2],
    ['a distance that is no number', { near: point(0, 0), minDistance: 'x' }, 14],
    ['a field name that is no string', { near: point(0, 0), distanceField: 1 }, 16606],
    ['a legacy point without a 2d index', { near: [0, 0] }, 291],
    ['a limit', { near: point(0, 0), limit: 1 }, 50858],
  ];
  for (const [what, geoNear, code] of rejected) {
    it(`are rejected with ${code} for ${what}`, () => {
      const pipeline = [{ $geoNear: { distanceField: 'far', ...geoNear } }];
      assert.equal(cluster.run({ aggregate: 'places', pipeline, cursor: {} }).code, code);
    });
  }

  it('require a collection and an unambiguous index', () => {
    const pipeline = [{ $geoNear: { near: point(0, 0), distanceField: 'far' } }];
    assert.equal(cluster.run({ aggregate: 'nowhere', pipeline, cursor: {} }).code, 26);
    assert.equal(cluster.run({ aggregate: 'texts', pipeline, cursor: {} }).code, 27);
    const later = [{ $limit: 1 }, ...pipeline];
    assert.equal(cluster.run({ aggregate: 'places', pipeline: later, cursor: {} }).code, 40603);
  });
});

describe('text searches', () => {
  const filter = { $text: { $search: 'tea' } };

  it('have scores to sort by', () => {
    const score = { $meta: 'textScore' };
    const found = cluster.run({ find: 'texts', filter, projection: { score }, sort: { score } });
    assert.deepEqual(found.cursor.firstBatch, [
      { _id: 1, t: 'tea', score: 1.1 },
      { _id: 2, t: 'tea with milk', score: 0.75 },
    ]);
    const alone = cluster.run({ find: 'texts', filter, projection: { t: 1, _id: 0, score }, limit: 1 });
    assert.deepEqual(alone.cursor.firstBatch, [{ t: 'tea', score: 1.1 }]);
  });

  it('keep their scores through a pipeline', () => {
    const pipeline = [
      { $match: filter },
      { $project: { t: 1 } },
      { $sort: { score: { $meta: 'textScore' } } },
      { $project: { score: { $meta: 'textScore' } } },
    ];
    const found = cluster.run({ aggregate: 'texts', pipeline, cursor: {} });
    assert.deepEqual(found.cursor.firstBatch, [
      { _id: 1, score: 1.1 },
      { _id: 2, score: 0.75 },
    ]);
  });

  const blocking: readonly Document[] = [
    { $setWindowFields: { sortBy: { _id: 1 }, output: { r: { $rank: {} } } } },
    { $fill: { sortBy: { _id: 1 }, output: { t: { method: 'locf' } } } },
    { $fill: { sortBy: { _id: 1 }, output: { t: { method: 'locf' }, x: { value: 1 } } } },
    { $sample: { size: 10 } },
    { $score: { score: { $meta: 'textScore' } } },
  ];
  for (const stage of blocking) {
    it(`keep their scores through ${Object.keys(stage)[0]}, which reads all documents first`, () => {
      const scores = (...stages: Document[]) => {
        const shown = { $project: { score: { $meta: 'textScore' } } };
        const pipeline = [{ $match: { $text: { $search: 'tea' } } }, ...stages, { $sort: { _id: 1 } }, shown];
        return cluster.run({ aggregate: 'texts', pipeline, cursor: {} }).cursor.firstBatch;
      };
      assert.deepEqual(scores(stage), scores());
      assert.notEqual(scores()[0].score, scores()[1].score);
    });
  }

  it('are explained with their scores', () => {
    const score = { $meta: 'textScore' };
    const find = { find: 'texts', filter, projection: { score }, sort: { score } };
    const pipeline = [{ $match: filter }, { $project: { score } }];
    for (const explain of [find, { aggregate: 'texts', pipeline, cursor: {} }]) {
      assert.equal(cluster.run({ explain, verbosity: 'executionStats' }).ok, 1);
    }
    const { code } = cluster.run({ explain: { find: 'texts', projection: { score } } });
    assert.equal(code, 40218);
  });

  it('keep their scores in the document that findAndModify has changed', () => {
    const found = cluster.run({
      findAndModify: 'texts',
      query: { $text: { $search: 'milk' } },
      update: { $set: { t: 'tea with milk' } },
      fields: { _id: 0, score: { $meta: 'textScore' } },
      new: true,
    });
    assert.deepEqual(found.value, { t: 'tea with milk', score: 0.75 });
  });

  it('must come first in a pipeline, and scores require one', () => {
    const pipeline = [{ $match: { _id: 1 } }, { $match: filter }];
    assert.equal(cluster.run({ aggregate: 'texts', pipeline, cursor: {} }).code, 17313);
    assert.equal(cluster.run({ find: 'texts', sort: { s: { $meta: 'textScore' } } }).code, 40218);
    assert.equal(cluster.run({ find: 'texts', projection: { s: { $meta: 'textScore' } } }).code, 40218);
    assert.equal(cluster.run({ find: 'places', filter }).code, 27);
  });

  it('use the index of the collection that a stage reads', () => {
    const lookup = { from: 'texts', pipeline: [{ $match: filter }], as: 'found' };
    const pipeline = [{ $limit: 1 }, { $lookup: lookup }, { $project: { n: { $size: '$found' } } }];
    assert.deepEqual(cluster.run({ aggregate: 'places', pipeline, cursor: {} }).cursor.firstBatch, [
      { _id: 1, n: 2 },
    ]);
    const back = [{ $unionWith: { coll: 'places', pipeline: [{ $match: filter }] } }];
    assert.equal(cluster.run({ aggregate: 'texts', pipeline: back, cursor: {} }).code, 27);
  });

  it('work in count, update and delete', () => {
    assert.equal(cluster.run({ count: 'texts', query: filter }).n, 2);
    const updates = [{ q: { $text: { $search: 'milk' } }, u: { $set: { t: 'water' } } }];
    assert.equal(cluster.run({ update: 'texts', updates }).nModified, 1);
    assert.equal(cluster.run({ count: 'texts', query: filter }).n, 1);
  });
});
