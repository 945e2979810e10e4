import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { type TestClock, testClock } from '@portolan/foundation/testing';
import { SearchReader } from '../search/file/search-reader.ts';
import { ClusterReader } from '../search/follow/cluster-reader.ts';
import { IdleMemory } from './idle-memory.ts';
import { TestCluster } from './testing.ts';
import { TestSearch } from './testing-search.ts';

const ROUND_MS = 30_000;

describe('the memory of a cluster', () => {
  let [clock, search, reader, source]: [TestClock, TestSearch, SearchReader, ClusterReader] = [] as never;
  let [memory, shrinks]: [IdleMemory, number] = [] as never;

  beforeEach(() => {
    clock = testClock();
    search = new TestSearch([{ _id: 1, t: 'oak' }], { mappings: { dynamic: true } });
    reader = new SearchReader(search.cluster.dir, undefined);
    source = new ClusterReader(search.cluster.dir, undefined);
    shrinks = 0;
    memory = new IdleMemory({
      store: { giveBack: () => false, shrink: () => shrinks++ },
      search: reader,
      machine: clock,
      log: silentLog(),
      opened: clock.monotonic(),
      onError: assert.ifError,
    });
  });

  afterEach(() => {
    memory.close();
    for (const each of [reader, source, search]) each.close();
  });

  function find(): void {
    for (const index of source.indexes())
      reader.read(index, ({ segments }) => segments.map((segment) => segment.keys()));
  }

  /** Sends this number of requests. Returns whether the cluster is idle at the end of the round. */
  function round(requests: number): boolean {
    for (let i = 0; i < requests; i++) {
      clock.advance(ROUND_MS / requests);
      memory.touch(clock.monotonic());
    }
    return memory.restSince(clock.monotonic() - ROUND_MS);
  }

  it('is released while a reader of metrics sends requests', () => {
    find();
    assert.ok(reader.cachedBytes > 0);
    for (let i = 0; i < 2; i++) assert.equal(round(3), false);
    assert.equal(reader.cachedBytes, 0);
    assert.equal(shrinks, 2);
  });

  it('is kept while it is needed', () => {
    for (let i = 0; i < 3; i++) {
      find();
      assert.equal(round(300), false);
    }
    assert.ok(reader.cachedBytes > 0);
    assert.equal(shrinks, 0);
  });
});

it('a query thread that hardly works collects its garbage, although requests continue', () => {
  let [worked, collections] = [0, 0];
  const cluster = new TestCluster({ workedMs: () => worked, collect: () => collections++ });
  const use = (seconds: number, workMs: number) => {
    for (let i = 0; i < seconds; i += 10) {
      cluster.run({ ping: 1 });
      worked += workMs;
      cluster.clock.advance(10_000);
    }
  };
  try {
    use(120, 1_000);
    assert.equal(collections, 0);
    use(300, 5);
    assert.equal(collections, 1);
  } finally {
    cluster.remove();
  }
});

it('a query thread collects its garbage again when idle cursors have timed out', () => {
  let collections = 0;
  const cluster = new TestCluster({ workedMs: () => 0, collect: () => collections++ });
  const pass = (minutes: number) => {
    for (let i = 0; i < minutes; i++) cluster.clock.advance(60_000);
  };
  try {
    cluster.run({ insert: 'c', documents: [{ _id: 1 }, { _id: 2 }] });
    assert.ok(cluster.run({ find: 'c', batchSize: 1 }).cursor.id > 0n);
    pass(5);
    assert.equal(collections, 1);
    // Cursors time out after ten minutes.
    pass(10);
    assert.equal(collections, 2);
  } finally {
    cluster.remove();
  }
});
