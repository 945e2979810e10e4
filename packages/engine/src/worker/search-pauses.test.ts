import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestCluster } from './testing.ts';
import { buildSearchIndex } from './testing-search.ts';

it('results of a search that are skipped let other statements run', () => {
  const cluster = new TestCluster({}, { unsynced: true });
  try {
    cluster.run({ insert: 'c', documents: Array.from({ length: 2_000 }, (_, n) => ({ n })) });
    buildSearchIndex(cluster, 'c', { definition: { mappings: { dynamic: true } } });
    let looks = 0;
    cluster.clock.monotonic = () => looks++ / 1_000;
    const pipeline = [{ $search: { exists: { path: 'n' } } }, { $skip: 1_990 }];
    const { cursor } = cluster.run({ aggregate: 'c', pipeline, cursor: {} });
    assert.equal(cursor.firstBatch.length, 10);
    // One check in 16 looks at the time.
    assert.ok(looks > 2_000 / 16, `${looks}`);
  } finally {
    cluster.remove();
  }
});
