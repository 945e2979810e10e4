import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{}] });
  cluster.run({ create: 'v', viewOn: 'c', pipeline: [] });
});
after(() => cluster.remove());

const user = { username: 'ada', database: 'admin', roles: [{ role: 'dbAdmin', database: 'test' }] };

const configure = (more: Document, collection = 'c') =>
  cluster.run({ configureQueryAnalyzer: `test.${collection}`, $db: 'admin', ...more }, { user });

describe('configureQueryAnalyzer', () => {
  it('returns the new configuration and the one that it replaces', () => {
    assert.deepEqual(configure({ mode: 'off' }), { newConfiguration: { mode: 'off' }, ok: 1 });
    const on = { mode: 'full', samplesPerSecond: 5 };
    assert.deepEqual(configure(on), { newConfiguration: on, ok: 1 });
    const slower = { mode: 'full', samplesPerSecond: 0.5 };
    assert.deepEqual(configure(slower), { oldConfiguration: on, newConfiguration: slower, ok: 1 });
    const off = { mode: 'off' };
    assert.deepEqual(configure(off), { oldConfiguration: slower, newConfiguration: off, ok: 1 });
    assert.deepEqual(configure(off), { newConfiguration: off, ok: 1 });
  });

  it('stores the configuration', () => {
    configure({ mode: 'full', samplesPerSecond: 2 });
    configure({ mode: 'off' });
    const { _id, mode, samplesPerSecond, startTime, stopTime } = cluster.run({
      find: 'queryAnalyzers',
      $db: 'config',
    }).cursor.firstBatch[0];
    assert.deepEqual([_id, mode, samplesPerSecond], ['test.c', 'off', 2]);
    assert.ok(startTime instanceof Date && stopTime instanceof Date);
  });

  it('does not return the configuration of a dropped collection', () => {
    cluster.run({ create: 'd' });
    configure({ mode: 'full', samplesPerSecond: 2 }, 'd');
    cluster.run({ drop: 'd' });
    cluster.run({ create: 'd' });
    assert.equal(configure({ mode: 'full', samplesPerSecond: 2 }, 'd').oldConfiguration, undefined);
  });

  const refused: Array<[what: string, more: Document, code: number]> = [
    ['no mode', {}, 40414],
    ['an unknown mode', { mode: 'on' }, 2],
    ['a rate with the mode off', { mode: 'off', samplesPerSecond: 1 }, 72],
    ['no rate', { mode: 'full' }, 72],
    ['a rate of 0', { mode: 'full', samplesPerSecond: 0 }, 72],
    ['a rate above 50', { mode: 'full', samplesPerSecond: 51 }, 72],
  ];
  for (const [what, more, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(configure(more).code, code));
  }

  it('rejects views and missing collections', () => {
    assert.equal(configure({ mode: 'off' }, 'v').code, 166);
    assert.equal(configure({ mode: 'off' }, 'missing').code, 26);
  });
});

it('shardingState says that a replica set is not sharded', () => {
  const monitor = { ...user, roles: [{ role: 'clusterMonitor', database: 'admin' }] };
  const reply = cluster.run({ shardingState: 1, $db: 'admin' }, { user: monitor });
  assert.deepEqual(reply, { enabled: false, ok: 1 });
});
