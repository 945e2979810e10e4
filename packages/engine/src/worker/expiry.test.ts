import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, test } from 'node:test';
import { FILE_NAME } from '../storage/file/format.ts';
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

test('other statements run while documents with many index keys are removed', () => {
  const busy = new TestCluster({}, { unsynced: true });
  busy.run({
    createIndexes: 'c',
    indexes: [
      { key: { at: 1 }, name: 'at', expireAfterSeconds: 0 },
      { key: { a: 1 }, name: 'a' },
    ],
  });
  const a = Array.from({ length: 40_000 }, (_, i) => i);
  busy.run({ insert: 'c', documents: [{ at: new Date(0), a }] });
  let looks = 0;
  const { monotonic } = busy.clock;
  busy.clock.monotonic = () => {
    looks++;
    return monotonic() + looks;
  };
  let sent: ReturnType<TestCluster['send']> | undefined;
  busy.worker.ports = {
    receive() {
      sent ??= busy.send({ ping: 1 });
    },
    send() {},
  };
  busy.clock.advance(60_000);
  assert.equal(sent?.reply?.ok, 1);
  assert.ok(looks > 50, `${looks}`);
  assert.deepEqual(busy.documents('c'), []);
  busy.remove();
});

test('a batch goes on with the rules that the last batch has left', () => {
  const slow = new TestCluster({}, { unsynced: true });
  const names = ['a', 'b', 'c', 'd'];
  const index = { key: { at: 1 }, name: 'at', expireAfterSeconds: 0 };
  for (const name of names) {
    slow.run({ createIndexes: name, indexes: [index] });
    slow.run({ insert: name, documents: [{ at: new Date(0) }, { at: new Date(0) }] });
  }
  const { monotonic } = slow.clock;
  let passed = 0;
  slow.clock.monotonic = () => {
    // Each reading takes 15 ms, so that a batch of 20 ms ends after a few documents.
    passed += 15;
    return monotonic() + passed;
  };
  slow.clock.advance(60_000);
  assert.ok(names.some((name) => slow.documents(name).length > 0));
  slow.run({ drop: 'b' });
  for (let batches = 0; batches < 20; batches++) slow.clock.advance(20);
  assert.deepEqual(
    names.flatMap((name) => slow.documents(name)),
    [],
  );
  slow.remove();
});

test('damage is reported, and the worker continues with its other clusters', () => {
  const faults: string[] = [];
  const damaged = new TestCluster({ damaged: (_, fault) => faults.push(fault) });
  damaged.run({ createIndexes: 'c', indexes: [{ key: { at: 1 }, name: 'at', expireAfterSeconds: 0 }] });
  damaged.run({ insert: 'c', documents: [{ at: new Date(0) }] });
  damaged.worker.closeAll();
  const file = join(damaged.dir, FILE_NAME);
  const database = new DatabaseSync(file);
  const sql = `SELECT rootpage FROM sqlite_schema WHERE name = (SELECT 'c_' || number FROM collections WHERE name = 'c')`;
  const page = Number(database.prepare(sql).get()?.rootpage);
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xab, (page - 1) * 8_192, page * 8_192);
  writeFileSync(file, bytes);
  damaged.reopen();
  for (const _ of [1, 2]) damaged.clock.advance(60_000);
  assert.deepEqual(new Set(faults), new Set(['is damaged']));
  assert.equal(damaged.run({ ping: 1 }).ok, 1);
  damaged.remove();
});
