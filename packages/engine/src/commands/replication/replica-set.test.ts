import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

describe('replica set commands', () => {
  it('replSetGetStatus describes the members as the called one sees them', () => {
    const status = cluster.run({ replSetGetStatus: 1, $db: 'admin' }, { member: 'm1' });
    assert.deepEqual([status.set, status.myState, status.term, status.ok], ['rs-test', 2, 1n, 1]);
    assert.deepEqual(status.date, new Date(cluster.clock.now()));
    const newest = cluster.run({ find: 'oplog.rs', sort: { $natural: -1 }, $db: 'local' }).cursor
      .firstBatch[0];
    assert.deepEqual(status.optimes.lastCommittedOpTime, { ts: newest.ts, t: newest.t });
    assert.deepEqual(status.members[2].optime, { ts: newest.ts, t: newest.t });
    assert.deepEqual(
      status.members.map(({ name, stateStr, self }: Record<string, unknown>) => ({ name, stateStr, self })),
      [
        { name: '127.0.0.1:27100', stateStr: 'PRIMARY', self: undefined },
        { name: '127.0.0.1:27101', stateStr: 'SECONDARY', self: true },
        { name: '127.0.0.1:27102', stateStr: 'SECONDARY', self: undefined },
      ],
    );
    assert.equal(cluster.run({ replSetGetStatus: 1 }).code, 13);
  });

  it('replSetGetStatus contains sync sources and heartbeats', () => {
    const status = cluster.run({ replSetGetStatus: 1, $db: 'admin' }, { member: 'm1' });
    const primary = { syncSourceHost: '127.0.0.1:27100', syncSourceId: 0 };
    const sources = [status, ...status.members].map(({ syncSourceHost, syncSourceId }: Document) => ({
      syncSourceHost,
      syncSourceId,
    }));
    assert.deepEqual(sources, [primary, { syncSourceHost: '', syncSourceId: -1 }, primary, primary]);
    assert.deepEqual(
      status.members.map((member: Document) => [
        member.lastHeartbeat,
        member.pingMs,
        member.lastHeartbeatMessage,
      ]),
      [
        [status.date, 0n, ''],
        [undefined, undefined, ''],
        [status.date, 0n, ''],
      ],
    );
  });

  it('replSetGetStatus contains the time of the last election', () => {
    const elected = () =>
      cluster
        .run({ replSetGetStatus: 1, $db: 'admin' })
        .members.map(({ electionTime, electionDate }: Document) => [
          electionTime?.getHighBits(),
          electionDate?.getTime(),
        ]);
    const opened = elected();
    assert.deepEqual(opened.slice(1), [
      [undefined, undefined],
      [undefined, undefined],
    ]);
    cluster.clock.advance(5_000);
    assert.deepEqual(elected(), opened);
    cluster.configure({ term: 2 });
    const [[seconds, date]] = elected();
    assert.deepEqual([seconds, date], [Math.floor(date / 1000), opened[0][1] + 5_000]);
    cluster.configure({});
  });

  it('replSetGetConfig describes priorities, votes and tags', () => {
    const { config, ok } = cluster.run({ replSetGetConfig: 1, $db: 'admin' }, { member: 'm1' });
    assert.deepEqual([config._id, config.version, config.term, ok], ['rs-test', 1, 1, 1]);
    assert.deepEqual(config.members[2], {
      _id: 2,
      host: '127.0.0.1:27102',
      arbiterOnly: false,
      buildIndexes: true,
      hidden: false,
      priority: 6,
      tags: { nodeType: 'ELECTABLE', provider: 'AWS', region: 'EU_WEST_1' },
      secondaryDelaySecs: 0n,
      votes: 1,
    });
    assert.deepEqual(config.settings, {
      chainingAllowed: true,
      heartbeatIntervalMillis: 2000,
      heartbeatTimeoutSecs: 10,
      electionTimeoutMillis: 10000,
      catchUpTimeoutMillis: -1,
      catchUpTakeoverDelayMillis: 30000,
      getLastErrorModes: {},
      getLastErrorDefaults: { w: 1, wtimeout: 0 },
    });
    assert.equal(cluster.run({ replSetGetConfig: 1 }).code, 13);
  });

  it('replSetGetConfig reports the commitment only on the primary', () => {
    const config = { replSetGetConfig: 1, commitmentStatus: true, $db: 'admin' };
    assert.equal(cluster.run(config, { member: 'm0' }).commitmentStatus, true);
    assert.equal(cluster.run(config, { member: 'm1' }).code, 10107);
  });
});
