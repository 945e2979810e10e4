import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  const index = { key: { at: 1 }, name: 'at', expireAfterSeconds: 0 };
  cluster.run({ createIndexes: 'c', indexes: [index] });
});
beforeEach(() => {
  cluster.clock.advance(60_000);
  cluster.run({ insert: 'c', documents: [{ at: new Date(0) }] });
});
after(() => cluster.remove());

const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
const set = (parameters: object) =>
  cluster.run({ setParameter: 1, ...parameters, $db: 'admin' }, { user: root });

test('a parameter sets how often expired documents are removed, as soon as it changes', () => {
  assert.equal(set({ ttlMonitorSleepSecs: 1 }).ok, 1);
  for (const _ of [1, 2]) {
    cluster.clock.advance(1_000);
    assert.equal(cluster.documents('c').length, 0);
    cluster.run({ insert: 'c', documents: [{ at: new Date(0) }] });
  }
  set({ ttlMonitorSleepSecs: 60 });
  cluster.clock.advance(59_000);
  assert.equal(cluster.documents('c').length, 1);
  cluster.clock.advance(1_000);
  assert.equal(cluster.documents('c').length, 0);
});

test('another parameter turns the removal off', () => {
  set({ ttlMonitorEnabled: false });
  cluster.clock.advance(180_000);
  assert.equal(cluster.documents('c').length, 1);
  set({ ttlMonitorEnabled: true });
  cluster.clock.advance(60_000);
  assert.equal(cluster.documents('c').length, 0);
});

test('removed documents and passes are counted', () => {
  const counted = () => cluster.run({ serverStatus: 1, $db: 'admin' }, { user: root }).metrics.ttl;
  const before = counted();
  cluster.clock.advance(60_000);
  cluster.clock.advance(60_000);
  const { deletedDocuments, passes } = counted();
  assert.equal(Number(deletedDocuments) - Number(before.deletedDocuments), 1);
  assert.equal(Number(passes) - Number(before.passes), 2);
});
