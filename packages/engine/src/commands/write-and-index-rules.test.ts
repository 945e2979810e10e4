import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Code, type Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

/** This file tests rules of the server for writes and indexes. Each case has the expected code, or 0 for success. */

const cluster = new TestCluster();
cluster.run({ insert: 'ships', documents: [{ _id: 1, name: 'Vega', crew: 3 }] });
cluster.run({
  createIndexes: 'logs',
  indexes: [
    { key: { 'port.name': 1, text: 'text', 'pier.number': 1 }, name: 'text' },
    { key: { year: 1 }, name: 'year' },
  ],
});
cluster.run({ insert: 'logs', documents: [{ _id: 1, port: { name: 'Riga' }, text: 'calm sea', year: 1 }] });
after(() => cluster.remove());

/** A user with all privileges. */
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

function codeOf(command: Document): number {
  const { code, writeErrors } = cluster.run(command, { user: root });
  return code ?? writeErrors?.[0]?.code ?? 0;
}

const index = (key: Document, options: Document = {}) => ({
  createIndexes: 'places',
  indexes: [{ key, name: 'i', ...options }],
});
const log = (document: Document) => ({ insert: 'logs', documents: [document] });
const sphere = (options: Document) => index({ at: '2dsphere' }, options);
const scripts = { map: new Code('function () {}'), reduce: new Code('function () {}') };
const found = { $text: { $search: 'sea' } };

const cases: ReadonlyArray<[what: string, command: Document, code: number]> = [
  ['an insert of a view definition', { insert: 'system.views', documents: [{ _id: 'test.a' }] }, 73],
  ['a change of a profile', { update: 'system.profile', updates: [{ q: {}, u: { $set: { a: 1 } } }] }, 73],
  ['a removal of view definitions', { delete: 'system.views', deletes: [{ q: {}, limit: 0 }] }, 73],
  ['findAndModify of a view definition', { findAndModify: 'system.views', remove: true }, 73],
  [
    'a write concern of a mapReduce that writes nothing',
    { mapReduce: 'ships', ...scripts, out: { inline: 1 }, writeConcern: { w: 1 } },
    72,
  ],
  ['a statement id of a find', { find: 'ships', stmtId: 1 }, 0],
  ['deprecation errors as text', { ping: 1, apiVersion: '1', apiDeprecationErrors: 'no' }, 14],
  ['a list before the text of an index', log({ port: { name: ['Riga'] }, text: 'storm' }), 201],
  ['a list above a field before the text', log({ port: [{ name: 'Riga' }], text: 'storm' }), 201],
  ['a list after the text of an index', log({ pier: { number: [] }, text: 'storm' }), 201],
  ['a list beside the path of an index', log({ port: { names: [1] }, text: ['storm', 'rain'] }), 0],
  ['cells of level 30', sphere({ name: 'deep', finestIndexedLevel: 30, coarsestIndexedLevel: 5 }), 0],
  ['cells of level 31', sphere({ finestIndexedLevel: 31 }), 16748],
  ['cells of a negative level', sphere({ coarsestIndexedLevel: -1 }), 16747],
  [
    'cells from a finer to a coarser level',
    sphere({ finestIndexedLevel: 3, coarsestIndexedLevel: 5 }),
    16749,
  ],
  [
    'a wildcard with an expression in its projection',
    index({ '$**': 1 }, { wildcardProjection: { a: { $add: [1, 2] } } }),
    51271,
  ],
  [
    'a wildcard with a nested projection',
    index({ '$**': 1 }, { name: 'all', wildcardProjection: { a: { b: 1 } } }),
    0,
  ],
  [
    'a text beside the first fields of its index in one alternative',
    { find: 'logs', filter: { $or: [{ 'port.name': 'Riga', ...found }, { year: 1 }] } },
    0,
  ],
  [
    'a text in an alternative beside the first fields of its index',
    { find: 'logs', filter: { 'port.name': 'Riga', $or: [found, { year: 1 }] } },
    0,
  ],
  [
    'a text whose first fields are in another alternative',
    { find: 'logs', filter: { $or: [found, { 'port.name': 'Riga' }] } },
    291,
  ],
];

describe('the reference server answers', () => {
  for (const [what, command, code] of cases)
    it(`${what} with ${code}`, () => assert.equal(codeOf(command), code));

  it('conditions on arrays within arrays, with and without an index', () => {
    cluster.run({
      insert: 'routes',
      documents: [
        { _id: 1, stops: [[5]] },
        { _id: 2, stops: [[{ n: 5 }]] },
      ],
    });
    const idsOf = (inner: Document) =>
      cluster
        .run({ find: 'routes', filter: { stops: { $elemMatch: { $elemMatch: inner } } } })
        .cursor.firstBatch.map(({ _id }: Document) => _id);
    const found = () => [idsOf({ $in: [5] }), idsOf({ n: 5 })];
    assert.deepEqual(found(), [[1], [2]]);
    const indexes = ['stops', 'stops.n'].map((path) => ({ key: { [path]: 1 }, name: path }));
    cluster.run({ createIndexes: 'routes', indexes });
    assert.deepEqual(found(), [[1], [2]]);
  });

  it('statistics of the collection that $unionWith reads', () => {
    const statistics = (...stages: Document[]) =>
      cluster.run({
        aggregate: 'ships',
        pipeline: [{ $limit: 1 }, { $unionWith: { coll: 'logs', pipeline: stages } }, { $skip: 1 }],
        cursor: {},
      }).cursor.firstBatch;
    const names = statistics({ $indexStats: {} }).map(({ name }: Document) => name);
    assert.deepEqual(names.sort(), ['_id_', 'text', 'year']);
    const [found] = statistics({ $collStats: { count: {} } });
    assert.equal(found.ns, 'test.logs');
  });

  it('an explained findAndModify with the document that it would return', () => {
    for (const change of [{ update: { $inc: { crew: 1 } } }, { remove: true }]) {
      const explain = { findAndModify: 'ships', query: { crew: { $gt: 0 } }, ...change };
      const { executionStats } = cluster.run({ explain, verbosity: 'executionStats' });
      assert.equal(executionStats.nReturned, 1);
    }
    const updates = [{ q: { crew: { $gt: 0 } }, u: { $inc: { crew: 1 } } }];
    const { executionStats } = cluster.run({ explain: { update: 'ships', updates } });
    assert.equal(executionStats.nReturned, 0);
  });
});
