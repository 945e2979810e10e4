import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import type { OpenCluster } from './open-cluster.ts';
import { TestCluster } from './testing.ts';
import { Upkeep } from './upkeep.ts';

test('an oplog whose limit was lowered is trimmed in pieces, also without further writes', () => {
  const cluster = new TestCluster();
  try {
    const MIB = 1024 * 1024;
    cluster.configure({ oplogBytes: 100 * MIB });
    for (let _id = 0; _id < 30; _id++)
      cluster.run({ insert: 'c', documents: [{ _id, pad: 'x'.repeat(MIB) }] });
    const size = () => Math.round(cluster.run({ collStats: 'oplog.rs', $db: 'local' }).size / MIB);
    assert.equal(size(), 30);
    cluster.configure({ oplogBytes: MIB });
    const sizes = [30];
    for (const ms of [10_000, 100, 100, 100, 100, 100]) {
      cluster.clock.advance(ms);
      sizes.push(size());
    }
    const removed = sizes.slice(1).map((left, at) => (sizes[at] ?? 0) - left);
    assert.ok(Math.max(...removed) <= 18, `${sizes}`);
    assert.equal(sizes.at(-1), 0, `${sizes}`);
  } finally {
    cluster.remove();
  }
});

test('a round over many clusters has pauses for requests', () => {
  const visited: string[] = [];
  const clusterOf = (id: string) =>
    [
      id,
      {
        get resting() {
          visited.push(id);
          clock.advance(4);
          return true;
        },
        store: { oplog: { exceedsLimit: false } },
      } as unknown as OpenCluster,
    ] as const;
  const clock = testClock();
  const upkeep = new Upkeep(clock, {
    clusters: new Map(['a', 'b', 'c', 'd', 'e'].map(clusterOf)),
    isBusy: () => false,
    areAllResting: () => false,
    wrote: () => {},
  });
  const rounds = [1, 2, 3, 4].map(() => {
    visited.length = 0;
    upkeep.round();
    return visited.length;
  });
  assert.deepEqual(rounds, [2, 2, 1, 2]);
  void upkeep.stop();
});
