import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const ns = { db: 'test', coll: 'c' };
const user = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 20 }, (_, i) => ({ _id: i, a: i, b: i % 2 })) });
  const key = { a: 1, b: 1 };
  const indexes = [
    { key: { a: 1 }, name: 'a' },
    { key, name: 'ab' },
    { key: { b: 1 }, name: 'b' },
  ];
  cluster.run({ createIndexes: 'c', indexes });
  cluster.run({ create: 'v', viewOn: 'c' });
});
after(() => cluster.remove());

const set = (query: Document | string, settings: Document) => {
  const given = typeof query === 'string' ? query : { ...query, $db: 'test' };
  return cluster.run({ setQuerySettings: given, settings, $db: 'admin' }, { user });
};
const remove = (hash: string) => cluster.run({ removeQuerySettings: hash, $db: 'admin' }, { user });
const explain = (command: Document) => cluster.run({ explain: command, verbosity: 'queryPlanner' });
const allow = (...allowedIndexes: Array<string | Document>) => ({ indexHints: { ns, allowedIndexes } });

/** Returns the name of the index of the winning plan, or the stage that reads without an index. */
function accessOf(reply: Document): string {
  let stage = reply.queryPlanner.winningPlan;
  while (stage.inputStage !== undefined) stage = stage.inputStage;
  return stage.indexName ?? stage.stage;
}

describe('query settings', () => {
  const queries: ReadonlyArray<readonly [string, Document, Document]> = [
    ['find', { find: 'c', filter: { a: 1 } }, { find: 'c', filter: { a: 7 } }],
    [
      'aggregate',
      { aggregate: 'c', pipeline: [{ $match: { a: 1 } }] },
      { aggregate: 'c', pipeline: [{ $match: { a: 7 } }], cursor: {} },
    ],
    ['distinct', { distinct: 'c', key: 'b', query: { a: 1 } }, { distinct: 'c', key: 'b', query: { a: 7 } }],
  ];
  for (const [name, query, like] of queries) {
    it(`of ${name} restrict the indexes, whatever the hint, and are shown by explain`, () => {
      const settings = allow('ab');
      const { queryShapeHash: hash } = set(query, settings);
      try {
        for (const more of [{}, { hint: 'a' }]) {
          const reply = explain({ ...like, ...more });
          assert.deepEqual([accessOf(reply), reply.queryShapeHash], ['ab', hash]);
          assert.deepEqual(reply.queryPlanner.querySettings, settings);
        }
      } finally {
        remove(hash);
      }
      assert.equal(explain(like).queryPlanner.querySettings, undefined);
    });
  }

  const access: ReadonlyArray<readonly [string, Document, string]> = [
    ['a key pattern', allow({ a: 1, b: 1 }), 'ab'],
    ['several indexes', allow('none', 'ab'), 'ab'],
    ['a list of collections', { indexHints: [{ ns, allowedIndexes: ['ab'] }] }, 'ab'],
    ['a collection scan', allow({ $natural: 1 }), 'COLLSCAN'],
    ['no index that serves the query', allow('b'), 'a'],
    ['a missing index', allow('none'), 'a'],
    [
      'indexes of another collection',
      { indexHints: { ns: { ...ns, coll: 'd' }, allowedIndexes: ['ab'] } },
      'a',
    ],
  ];
  for (const [name, settings, expected] of access) {
    it(`that allow ${name} lead to ${expected}`, () => {
      const { queryShapeHash: hash } = set({ find: 'c', filter: { a: { $gt: 1 } } }, settings);
      try {
        assert.equal(accessOf(explain({ find: 'c', filter: { a: { $gt: 3 } } })), expected);
        const found = cluster.run({ find: 'c', filter: { a: { $gt: 17 } } }).cursor.firstBatch;
        assert.deepEqual(
          found.map(({ _id }: Document) => _id),
          [18, 19],
        );
      } finally {
        remove(hash);
      }
    });
  }

  it('keep the fields that a change does not name', () => {
    const query = { find: 'c', filter: { b: 1 } };
    const { queryShapeHash: hash } = set(query, allow('b'));
    const changed = set(hash, { queryFramework: 'classic' });
    assert.deepEqual(changed.settings, { ...allow('b'), queryFramework: 'classic' });
    assert.deepEqual(set(query, allow('ab')).settings, { queryFramework: 'classic', ...allow('ab') });
    remove(hash);
    assert.deepEqual(set(query, { reject: true }).settings, { reject: true });
    assert.equal(cluster.run({ find: 'c', filter: { b: 0 } }).code, 411);
    assert.equal(explain({ find: 'c', filter: { b: 0 } }).ok, 1);
    assert.equal(set(query, {}).code, 8727502);
    assert.equal(set(query, { reject: false }).code, 7746604);
    remove(hash);
  });

  it('have the hash that explain and profiles show, also for a view, and that a hint does not change', () => {
    const query = { find: 'v', filter: { a: 1 } };
    const { queryShapeHash: hash } = set(query, { reject: true });
    assert.equal(explain({ find: 'v', filter: { a: 2 } }).queryShapeHash, hash);
    assert.equal(cluster.run({ find: 'v', filter: { a: 2 }, hint: 'a' }).code, 411);
    remove(hash);
    cluster.run({ profile: 2 });
    cluster.run({ find: 'v', filter: { a: 3 } });
    cluster.run({ profile: 0 });
    const last = { filter: { op: 'query', ns: 'test.v' }, limit: 1 };
    assert.equal(cluster.run({ find: 'system.profile', ...last }).cursor.firstBatch[0]?.queryShapeHash, hash);
  });
});

it('the query settings of a cluster have a limited size', () => {
  const query = (field: string) => ({ find: 'c', filter: { [field]: 'x'.repeat(5_000_000) } });
  const hashes = ['x', 'y', 'z'].map((field) => set(query(field), { reject: true }).queryShapeHash);
  assert.equal(set(query('x'), allow('a')).ok, 1);
  const refused = set(query('w'), { reject: true });
  assert.equal(refused.codeName, 'BSONObjectTooLarge');
  assert.equal(set({ find: 'c', filter: { w: 1 } }, { reject: true }).ok, 1);
  for (const hash of hashes) assert.equal(remove(hash).ok, 1);
  assert.equal(set(query('w'), { reject: true }).ok, 1);
});
