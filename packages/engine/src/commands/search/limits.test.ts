import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { type: 'string' }]));
const definition = (count: number) => ({ mappings: { fields: fields(count) } });

describe('limits of search indexes', () => {
  function withCluster(run: (cluster: TestCluster) => void): void {
    const cluster = new TestCluster({}, { unsynced: true });
    try {
      cluster.run({ insert: 'c', documents: [{ _id: 0 }] });
      run(cluster);
    } finally {
      cluster.remove();
    }
  }
  const create = (cluster: TestCluster, ...indexes: Document[]) =>
    cluster.run({ createSearchIndexes: 'c', indexes });

  it('reject a large definition before it is parsed', () =>
    withCluster((cluster) => {
      const large = definition(20_000);
      assert.match(create(cluster, { definition: large }).errmsg, /cannot be larger than 262144 bytes/);
      assert.equal(create(cluster, { definition: definition(5) }).ok, 1);
      const changed = cluster.run({ updateSearchIndex: 'c', name: 'default', definition: large });
      assert.match(changed.errmsg, /cannot be larger than 262144 bytes/);
    }));

  it('reject more than a thousand indexes of a cluster', () =>
    withCluster((cluster) => {
      const named = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({ name: `n${from + i}`, definition: definition(1) }));
      assert.equal(create(cluster, ...named(0, 1_000)).ok, 1);
      assert.match(create(cluster, ...named(1_000, 1)).errmsg, /more than 1000 search indexes/);
      const change = { updateSearchIndex: 'c', name: 'n7', definition: definition(2) };
      assert.equal(cluster.run(change).ok, 1);
    }));

  it('reject definitions that are too large together', () =>
    withCluster((cluster) => {
      const each = definition(7_000);
      const replies = Array.from({ length: 30 }, (_, i) =>
        create(cluster, { name: `n${i}`, definition: each }),
      );
      const accepted = replies.filter(({ ok }) => ok === 1).length;
      assert.ok(accepted > 15 && accepted < 30, `${accepted}`);
      assert.match(replies.at(-1)?.errmsg, /cannot be larger than 4194304 bytes/);
      const change = { updateSearchIndex: 'c', name: 'n0', definition: definition(7_000) };
      assert.equal(cluster.run(change).ok, 1);
    }));

  it('of a reply divide the list into pieces', () =>
    withCluster((cluster) => {
      for (const name of ['a', 'b', 'c']) create(cluster, { name, definition: definition(50) });
      const whole = cluster.run({ listSearchIndexes: 'c' }).cursor.firstBatch;
      const found: Document[] = [];
      let pieces = 0;
      for (let more = true; more; pieces++) {
        const after = found.at(-1)?.id;
        const reply = cluster.run({ listSearchIndexes: 'c', maxBytes: 2_000, ...(after && { after }) });
        found.push(...reply.cursor.firstBatch);
        more = reply.more === true;
      }
      assert.deepEqual([found, pieces], [whole, 3]);
    }));
});
